"""Removes the objects of a bucket whose names begin with a prefix. The environment names the server."""

import sys

import boto3

bucket, prefix = sys.argv[1:]
s3 = boto3.client("s3", region_name="us-east-1")
for found in s3.list_objects_v2(Bucket=bucket, Prefix=prefix).get("Contents", []):
    s3.delete_object(Bucket=bucket, Key=found["Key"])
