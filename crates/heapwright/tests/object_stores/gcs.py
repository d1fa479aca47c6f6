"""Google Cloud Storage on this machine: what Google documents of its XML interface, before the S3 of moto. Writes two keys
of a service account to files, of which the account has lost the second. Prints its port, and serves until its input ends.

Tokens, conditions, generations, the limit of changes and the texts of errors are Google's. Its headers that are not
emulated are refused. A page of a listing has few objects. The metadata server of a machine is here, too.
"""

import json
import logging
import os
import re
import secrets
import sys
import threading
import time
from html import unescape
from xml.sax.saxutils import escape

os.environ["MOTO_S3_DEFAULT_MAX_KEYS"] = "5"

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, MotoRequestHandler, create_backend_app
from moto.s3.models import s3_backends
from werkzeug.serving import make_server
from werkzeug.wrappers import Request, Response

ACCOUNT = "worker@project.iam.gserviceaccount.com"
AUDIENCE = "https://storage.googleapis.com/"
SCOPES = {
    f"https://www.googleapis.com/auth/{name}"
    for name in ("cloud-platform", "devstorage.full_control", "devstorage.read_write")
}
METADATA = "/computeMetadata/v1/instance/service-accounts/default/token"
# A bucket to which the account has no access.
CLOSED = "closed"
CONDITION = "x-goog-if-generation-match"
# Parameters of requests of an upload in parts, which have no conditions.
UPLOADS = {"uploads", "uploadId"}
# Authorization for the S3 behind, which does not check the signature.
SIGNED = "AWS4-HMAC-SHA256 Credential=none/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=none"
# Time between two changes of an object, in seconds. Google's is 1, with which tests would take long.
CHANGE = 0.2


def error(status, code, message, details=""):
    details = details and f"<Details>{escape(details)}</Details>"
    content = f"<Code>{code}</Code><Message>{escape(message)}</Message>{details}"
    document = f"<?xml version='1.0' encoding='UTF-8'?><Error>{content}</Error>"
    return Response(document, status, content_type="application/xml; charset=UTF-8")


class Account:
    """Service account, which knows the public keys that belong to it by their names."""

    def __init__(self):
        self.keys = {}
        # Tokens that the metadata server has given.
        self.tokens = set()

    def write_key(self, file, belongs):
        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        name = secrets.token_hex(20)
        if belongs:
            self.keys[name] = key.public_key()
        pem = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        document = {
            "type": "service_account",
            "project_id": "project",
            "private_key_id": name,
            "private_key": pem.decode(),
            "client_email": ACCOUNT,
            "client_id": "100000000000000000000",
            "auth_uri": "https://accounts.google.com/o/oauth2/auth",
            "token_uri": "https://oauth2.googleapis.com/token",
            "universe_domain": "googleapis.com",
        }
        with open(file, "w", encoding="utf-8") as written:
            json.dump(document, written, indent=2)

    def token(self, request):
        """Answer of the metadata server."""
        if request.headers.get("Metadata-Flavor") != "Google":
            return Response("Missing Metadata-Flavor:Google header.", 403)
        token = f"ya29.{secrets.token_urlsafe(60)}"
        self.tokens.add(token)
        answer = {"access_token": token, "expires_in": 3599, "token_type": "Bearer"}
        return Response(
            json.dumps(answer), content_type="application/json", headers={"Metadata-Flavor": "Google"}
        )

    def knows(self, token):
        """Whether a token was given by the metadata server, or is signed by the account itself as AIP-4111 has it: for
        an hour, with either a scope or an audience."""
        if token in self.tokens:
            return True
        try:
            key = self.keys[jwt.get_unverified_header(token)["kid"]]
            claims = jwt.decode(
                token,
                key,
                algorithms=["RS256"],
                options={"require": ["iss", "sub", "iat", "exp"], "verify_aud": False},
            )
        except (jwt.InvalidTokenError, KeyError):
            return False
        scopes = SCOPES.intersection(claims.get("scope", "").split())
        return (
            claims["iss"] == claims["sub"] == ACCOUNT
            and claims["exp"] - claims["iat"] == 3600
            and ("scope" in claims) != ("aud" in claims)
            and (bool(scopes) or claims.get("aud") == AUDIENCE)
        )


class Storage:
    """The XML interface, as a WSGI application."""

    def __init__(self, account):
        self.account = account
        self.objects = s3_backends["123456789012"]["aws"]
        self.s3 = DomainDispatcherApplication(create_backend_app)
        self.lock = threading.Lock()
        # Times of the last changes, by the paths of objects.
        self.changed = {}

    @Request.application
    def __call__(self, request):
        if request.path == METADATA:
            return self.account.token(request)
        _, bucket, name = f"{request.path}/".split("/", 2)
        name = name.removesuffix("/")
        with self.lock:
            return self.refusal(request, bucket, name) or self.answer(request, bucket, name)

    def generation(self, bucket, name):
        """Generation of an object, 0 if there is none."""
        if bucket not in self.objects.buckets:
            return 0
        found = self.objects.head_object(bucket, name)
        return int(found.last_modified.timestamp() * 1_000_000) if found else 0

    def refusal(self, request, bucket, name):
        """Answer to what S3 does not refuse, or in another way; none if it answers."""
        kind, _, token = request.headers.get("Authorization", "").partition(" ")
        if kind != "Bearer" or not self.account.knows(token):
            return error(401, "AuthenticationRequired", "Authentication required.")
        if bucket == CLOSED:
            return self.denial(request, name)
        if request.method in ("PUT", "POST") and request.content_length is None:
            return error(411, "MissingContentLength", "You must provide the Content-Length HTTP header.")
        sent = {header.lower() for header, _ in request.headers if header.lower().startswith("x-goog-")}
        if sent - {CONDITION} or (sent and UPLOADS.intersection(request.args)):
            return error(501, "NotImplemented", "The requested operation is not implemented.")
        generation = self.generation(bucket, name)
        if sent and request.headers[CONDITION] != str(generation):
            message = "At least one of the pre-conditions you specified did not hold."
            return error(412, "PreconditionFailed", message)
        if request.method == "DELETE" and bucket in self.objects.buckets and not generation and not request.args:
            return error(404, "NoSuchKey", "The specified key does not exist.")
        if self.changes(request) and time.monotonic() - self.changed.get(request.path, -CHANGE) < CHANGE:
            details = f"Changing object {bucket}/{name} too quickly, please slow down"
            return error(429, "SlowDown", "Please reduce your request rate.", details)
        return None

    def denial(self, request, name):
        rights = {"PUT": "create", "POST": "create", "DELETE": "delete"}
        right = f"storage.objects.{rights.get(request.method, 'get') if name else 'list'}"
        details = (
            f"{ACCOUNT} does not have {right} access to the Google Cloud Storage {'object' if name else 'bucket'}. "
            f"Permission '{right}' denied on resource (or it may not exist)."
        )
        return error(403, "AccessDenied", "Access denied.", details)

    def changes(self, request):
        """Whether a request changes an object: a part of an upload does not, nor does its begin."""
        other = {"partNumber", "uploads"}.intersection(request.args)
        return request.method in ("PUT", "POST", "DELETE") and not other

    def answer(self, request, bucket, name):
        answer = Response.from_app(self.s3, {**request.environ, "HTTP_AUTHORIZATION": SIGNED})
        for header in [header for header in answer.headers.keys() if header.lower().startswith("x-amz")]:
            del answer.headers[header]
        if answer.status_code >= 400:
            found = re.search("<Code>(.*?)</Code>.*?<Message>(.*?)</Message>", answer.get_data(as_text=True), re.DOTALL)
            return error(answer.status_code, *map(unescape, found.groups())) if found else answer
        if self.changes(request):
            self.changed[request.path] = time.monotonic()
        if name and request.method != "DELETE" and (generation := self.generation(bucket, name)):
            answer.headers["x-goog-generation"] = str(generation)
            answer.headers["x-goog-metageneration"] = "1"
        if not name:
            answer.set_data(self.listing(bucket, answer.get_data(as_text=True)))
        return answer

    def listing(self, bucket, document):
        def with_generation(key):
            generation = self.generation(bucket, unescape(key[1]))
            return f"{key[0]}<Generation>{generation}</Generation><MetaGeneration>1</MetaGeneration>"

        document = document.replace("http://s3.amazonaws.com/doc/2006-03-01/", "http://doc.s3.amazonaws.com/2006-03-01")
        return re.sub("<Key>(.*?)</Key>", with_generation, document)


account = Account()
for file, belongs in zip(sys.argv[1:], [True, False], strict=True):
    account.write_key(file, belongs)
storage = Storage(account)
for bucket in ["bucket", CLOSED]:
    storage.objects.create_bucket(bucket, "us-east-1")
logging.getLogger("werkzeug").disabled = True
server = make_server("127.0.0.1", 0, storage, threaded=True, request_handler=MotoRequestHandler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print("port", server.port, flush=True)
sys.stdin.read()
# Threads of the server are still waiting.
os._exit(0)
