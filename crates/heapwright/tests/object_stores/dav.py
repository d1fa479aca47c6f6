"""WebDAV on this machine, of a folder: prints its port, and serves until its input ends."""

import os
import sys
import threading

from cheroot.wsgi import Server
from wsgidav.wsgidav_app import WsgiDAVApp

folder, user, password = sys.argv[1:]
app = WsgiDAVApp(
    {
        "provider_mapping": {"/": folder},
        "simple_dc": {"user_mapping": {"*": {user: {"password": password}}}},
        "verbose": 1,
        "logging": {"enable": False},
    }
)
server = Server(("127.0.0.1", 0), app)
server.prepare()
threading.Thread(target=server.serve, daemon=True).start()
print("port", server.bind_addr[1], flush=True)
sys.stdin.read()
# Threads of the server are still waiting.
os._exit(0)
