"""Plays cases with the Python client. ``driver.py sync|async`` reads a plan from standard input and prints what came of it."""

import asyncio
import json
import os
import sys
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor

import compliance

KINDS = {
    "invalid_request": compliance.InvalidRequestError,
    "authentication": compliance.AuthenticationError,
    "beta_access": compliance.BetaAccessError,
    "permission": compliance.PermissionError,
    "rate_limit": compliance.RateLimitError,
    "upstream": compliance.UpstreamError,
    "connection": compliance.ConnectionError,
    "timeout": compliance.TimeoutError,
    "decode": compliance.DecodeError,
}


def call(client, part):
    args, options = dict(part["args"]), part.get("options", {})
    names = {"timeout": "timeout", "maxRetries": "max_retries", "idempotencyKey": "idempotency_key"}
    own = {names[name]: value for name, value in options.items() if name in names}
    if part["call"] == "tariff.hts.lookup":
        return client.tariff.hts.lookup(args.pop("codes"), **args, **own)
    if part["call"] == "tariff.lists":
        return client.tariff.lists(**args, **own)
    if part["call"] == "tariff.changes":
        return client.tariff.changes(args["from"], args["to"], **own)
    if part["call"] == "pixel.scan":
        return client.pixel.scan(args.pop("url"), **args, **own)
    if part["call"] == "download":
        return client.download_certificate(args, **own)
    return client.entry.gcc.generate(args, **own)


def build(kind, part):
    own = {name: part[name] for name in ("timeout",) if name in part}
    if "maxRetries" in part:
        own["max_retries"] = part["maxRetries"]
    return kind(part["key"], base_url=part["baseURL"], **own)


def success(result):
    return {"result": result.decode("latin-1") if isinstance(result, bytes) else result}


def failure(error):
    printed = "".join(traceback.format_exception(type(error), error, error.__traceback__)) + repr(error) + repr(vars(error))
    if isinstance(error, ValueError):
        return {"ended": "refused", "printed": printed}
    if not isinstance(error, compliance.ComplianceError):
        raise error
    return {
        "error": {
            "kinds": [name for name, kind in KINDS.items() if isinstance(error, kind)],
            "status": error.status,
            "code": error.code,
            "requestId": error.request_id,
            "issues": error.issues,
            "retryAfter": error.retry_after,
        },
        "printed": printed,
    }


def completed(told, client, started):
    windows = [
        dict(zip(("name", "quota", "windowSeconds", "remaining", "resetSeconds"), window)) for window in client.rate_limit
    ]
    printed = told.get("printed", "") + repr(client) + str(client) + repr(vars(client)) + repr(client.tariff.hts)
    return {**told, "printed": printed, "rateLimit": windows, "seconds": time.monotonic() - started}


def play(part):
    try:
        client = build(compliance.Client, part)
    except ValueError as error:
        return [failure(error)]

    def once(_):
        started = time.monotonic()
        try:
            told = success(call(client, part))
        except Exception as error:
            told = failure(error)
        return completed(told, client, started)

    if part["times"] == 1:
        return [once(0)]
    with ThreadPoolExecutor(part["times"]) as own:
        return list(own.map(once, range(part["times"])))


def play_all(parts):
    # A thread cannot be cancelled from outside; the client for asyncio shows that case.
    with ThreadPoolExecutor(len(parts)) as pool:
        return dict(zip([part["id"] for part in parts], pool.map(play, parts)))


async def play_async(part):
    try:
        client = build(compliance.AsyncClient, part)
    except ValueError as error:
        return [failure(error)]

    async def once():
        started = time.monotonic()
        task = asyncio.ensure_future(call(client, part))
        if part.get("options", {}).get("cancelAfter"):
            asyncio.get_running_loop().call_later(part["options"]["cancelAfter"], task.cancel)
        try:
            told = success(await task)
        except asyncio.CancelledError:
            told = {"ended": "cancelled"}
        except Exception as error:
            told = failure(error)
        return completed(told, client, started)

    return await asyncio.gather(*(once() for _ in range(part["times"])))


async def play_all_async(parts):
    return dict(zip([part["id"] for part in parts], await asyncio.gather(*map(play_async, parts))))


def tree(value, path=""):
    found = []
    for name in dir(value):
        if not name.startswith("_") and name != "rate_limit":
            child = getattr(value, name)
            found += [path + name] if callable(child) else tree(child, path + name + ".")
    return found


def handles():
    return {"handles": len(os.listdir("/proc/self/fd")), "threads": threading.active_count()}


def soak(plan):
    client = compliance.Client(plan["key"], base_url=plan["baseURL"])
    client.tariff.hts.lookup(["warm"])
    before = handles()
    codes = [str(i) for i in range(plan["count"])]
    with ThreadPoolExecutor(len(codes)) as pool:
        answers = list(pool.map(lambda code: client.tariff.hts.lookup([code]), codes))
    return soaked(codes, answers, before)


async def soak_async(plan):
    client = compliance.AsyncClient(plan["key"], base_url=plan["baseURL"])
    await client.tariff.hts.lookup(["warm"])
    before = {**handles(), "tasks": len(asyncio.all_tasks())}
    codes = [str(i) for i in range(plan["count"])]
    answers = await asyncio.gather(*(client.tariff.hts.lookup([code]) for code in codes))
    await asyncio.sleep(0.2)
    return soaked(codes, answers, before, {"tasks": len(asyncio.all_tasks())})


def soaked(codes, answers, before, also=None):
    wrong = sum([result["code"] for result in answer["results"]] != [code] for code, answer in zip(codes, answers))
    after = {**handles(), **(also or {})}
    return {"wrong": wrong, **{name: {"before": before[name], "after": after[name]} for name in after}}


plan = json.load(sys.stdin)
is_async = sys.argv[1] == "async"
if "play" in plan:
    told = asyncio.run(play_all_async(plan["play"])) if is_async else play_all(plan["play"])
elif "soak" in plan:
    told = asyncio.run(soak_async(plan["soak"])) if is_async else soak(plan["soak"])
else:
    told = tree((compliance.AsyncClient if is_async else compliance.Client)("key"))
json.dump(told, sys.stdout)
