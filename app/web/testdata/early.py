"""Sends requests that are refused early with the two clients of Python, fast and slowly, and prints what each was told.

See linger_foreign_test.go. http.client sends all of a body before it looks for an answer.
"""

import concurrent.futures
import http.client
import json
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

PIECE = 64 << 10


def slow(size):
    for sent in range(0, size, PIECE):
        yield bytes(min(PIECE, size - sent))
        if sent % (1 << 20) == 0:
            time.sleep(0.05)


def headers(request):
    out = {"Content-Type": request["Type"], "Content-Length": str(request["Size"])}
    if request["Token"]:
        out["Authorization"] = "Bearer " + request["Token"]
    return out


def by_client(request, body):
    url = urllib.parse.urlsplit(request["URL"])
    conn = http.client.HTTPConnection(url.netloc, timeout=60)
    try:
        conn.request(request["Method"], url.path, body=body, headers=headers(request))
        answer = conn.getresponse()
        answer.read()
        return answer.status
    except OSError as error:
        return repr(error)
    finally:
        conn.close()


def by_urllib(request, body):
    sends = urllib.request.Request(request["URL"], data=body, headers=headers(request), method=request["Method"])
    try:
        with urllib.request.urlopen(sends, timeout=60) as answer:
            return answer.status
    except urllib.error.HTTPError as answer:
        answer.read()
        return answer.code
    except OSError as error:
        return repr(error)


def told(request):
    size = request["Size"]
    return request["Name"], {
        "http.client at once": by_client(request, bytes(size)),
        "http.client slowly": by_client(request, slow(size)),
        "urllib at once": by_urllib(request, bytes(size)),
        "urllib slowly": by_urllib(request, slow(size)),
    }


with concurrent.futures.ThreadPoolExecutor(4) as pool:
    print(json.dumps(dict(pool.map(told, json.load(sys.stdin)))))
