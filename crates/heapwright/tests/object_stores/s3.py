"""S3 on this machine: prints its port, a key and its secret, and serves until its input ends."""

import logging
import os
import sys

# Requests that need no key: those by which this program makes one.
os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = "4"

import boto3
from moto.server import ThreadedMotoServer

logging.getLogger("werkzeug").disabled = True
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
port = server.get_host_and_port()[1]
own = dict(
    endpoint_url=f"http://127.0.0.1:{port}",
    region_name="us-east-1",
    aws_access_key_id="none",
    aws_secret_access_key="none",
)
boto3.client("s3", **own).create_bucket(Bucket="bucket")
iam = boto3.client("iam", **own)
iam.create_user(UserName="user")
key = iam.create_access_key(UserName="user")["AccessKey"]
iam.put_user_policy(
    UserName="user",
    PolicyName="all",
    PolicyDocument='{"Version": "2012-10-17", "Statement": '
    '[{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}',
)
print("port", port, key["AccessKeyId"], key["SecretAccessKey"], flush=True)
sys.stdin.read()
# Threads of the server are still waiting.
os._exit(0)
