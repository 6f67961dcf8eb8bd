"""Runs test cases with the Python client. ``driver.py sync|async`` reads a test plan from stdin and prints the outcomes."""

import asyncio
import functools
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
    names = {"timeout": "timeout", "deadline": "deadline", "maxRetries": "max_retries", "idempotencyKey": "idempotency_key"}
    own = {names[name]: value for name, value in options.items() if name in names}
    if part["call"] == "download":
        return client.download_certificate(args, **own)
    method = functools.reduce(getattr, part["call"].split("."), client)
    positional = [args.pop(name, None) for name in part["path"]]
    if part["takes"] == "request":
        return method(*positional, args, **own)
    positional += [args.pop(name, None) for name in part["takes"]]
    return method(*positional, **args, **own)


def build(kind, part, events):
    own = {name: part[name] for name in ("timeout", "deadline") if name in part}
    if "maxRetries" in part:
        own["max_retries"] = part["maxRetries"]

    def record(on):
        def add(event):
            fields = event._asdict()
            error = fields.pop("error", None)
            events.append(
                {
                    **{"on": on, "method": event.method, "url": event.url, "attempt": event.attempt},
                    **{"idempotencyKey": event.idempotency_key, "status": fields.get("status")},
                    **{"requestId": fields.get("request_id"), "seconds": fields.get("seconds")},
                    "rateLimit": windows_of(fields.get("rate_limit", ())),
                    "error": kinds_of(error)[0] if error else None,
                    "printed": repr(event) + repr(error and vars(error)),
                }
            )

        return add

    if part.get("hooks"):
        own.update(on_request=record("request"), on_response=record("response"))
    return kind(part["key"], base_url=part["baseURL"], allow_http=part.get("allowHttp", False), **own)


def windows_of(windows):
    return [dict(zip(("name", "quota", "windowSeconds", "remaining", "resetSeconds"), window)) for window in windows]


def kinds_of(error):
    return [name for name, kind in KINDS.items() if isinstance(error, kind)]


def success(result):
    if isinstance(result, bytes):
        return {"result": result.decode("latin-1")}
    if isinstance(result, list):
        return {"result": result}
    info = compliance.response_of(result)
    response = {"status": info.status, "requestId": info.request_id, "rateLimit": windows_of(info.rate_limit)}
    return {"result": result, "response": response}


def failure(error):
    printed = "".join(traceback.format_exception(type(error), error, error.__traceback__)) + repr(error) + repr(vars(error))
    if isinstance(error, (TypeError, ValueError)):
        return {"ended": "rejected", "printed": printed}
    if not isinstance(error, compliance.ComplianceError):
        raise error
    return {
        "error": {
            "kinds": kinds_of(error),
            "status": error.status,
            "code": error.code,
            "reason": error.reason,
            "rateLimit": windows_of(error.rate_limit),
            "requestId": error.request_id,
            "issues": error.issues,
            "retryAfter": error.retry_after,
            "partial": len(error.partial["results"]) if error.partial else None,
        },
        "printed": printed,
    }


def completed(outcome, client, started, events):
    printed = outcome.get("printed", "") + repr(client) + str(client) + repr(vars(client)) + repr(client.tariff.hts)
    windows, seconds = windows_of(client.rate_limit), time.monotonic() - started
    return {**outcome, "printed": printed, "rateLimit": windows, "seconds": seconds, "events": events}


def run_case(part):
    events = []
    try:
        client = build(compliance.Client, part, events)
    except ValueError as error:
        return [failure(error)]

    def once(_):
        started = time.monotonic()
        try:
            result = call(client, part)
            outcome = success(list(result) if part["call"].endswith("_all") else result)
        except Exception as error:
            outcome = failure(error)
        return completed(outcome, client, started, events)

    with client:
        if part["times"] == 1:
            return [once(0)]
        with ThreadPoolExecutor(part["times"]) as own:
            return list(own.map(once, range(part["times"])))


def run_cases(parts):
    # A thread can't be canceled, so only the async client runs the cases that cancel a call.
    with ThreadPoolExecutor(len(parts)) as pool:
        return dict(zip([part["id"] for part in parts], pool.map(run_case, parts)))


async def run_case_async(part):
    events = []
    try:
        client = build(compliance.AsyncClient, part, events)
    except ValueError as error:
        return [failure(error)]

    async def result_of():
        result = call(client, part)
        if part["call"].endswith("_all"):
            return [item async for item in result]
        return await result

    async def once():
        started = time.monotonic()
        task = asyncio.ensure_future(result_of())
        if part.get("options", {}).get("cancelAfter"):
            asyncio.get_running_loop().call_later(part["options"]["cancelAfter"], task.cancel)
        try:
            outcome = success(await task)
        except asyncio.CancelledError:
            outcome = {"ended": "cancelled"}
        except Exception as error:
            outcome = failure(error)
        return completed(outcome, client, started, events)

    async with client:
        return await asyncio.gather(*(once() for _ in range(part["times"])))


async def run_cases_async(parts):
    return dict(zip([part["id"] for part in parts], await asyncio.gather(*map(run_case_async, parts))))


def methods(value, path=""):
    found = []
    for name in dir(value):
        if not name.startswith("_") and name != "rate_limit":
            child = getattr(value, name)
            found += [path + name] if callable(child) else methods(child, path + name + ".")
    return found


def handles():
    return {"handles": len(os.listdir("/proc/self/fd")), "threads": threading.active_count()}


def load(plan):
    codes = [str(i) for i in range(plan["count"])]
    with compliance.Client(plan["key"], base_url=plan["baseURL"]) as client:
        client.tariff.hts.lookup(["warm"])
        client.close()
        before = handles()
        with ThreadPoolExecutor(len(codes)) as pool:
            responses = list(pool.map(lambda code: client.tariff.hts.lookup([code]), codes))
    return summary(codes, responses, before)


async def load_async(plan):
    codes = [str(i) for i in range(plan["count"])]
    async with compliance.AsyncClient(plan["key"], base_url=plan["baseURL"]) as client:
        await client.tariff.hts.lookup(["warm"])
        await client.close()
        before = {**handles(), "tasks": len(asyncio.all_tasks())}
        responses = await asyncio.gather(*(client.tariff.hts.lookup([code]) for code in codes))
    await asyncio.sleep(0.2)
    return summary(codes, responses, before, {"tasks": len(asyncio.all_tasks())})


def summary(codes, responses, before, also=None):
    wrong = sum([result["code"] for result in response["results"]] != [code] for code, response in zip(codes, responses))
    after = {**handles(), **(also or {})}
    return {"wrong": wrong, **{name: {"before": before[name], "after": after[name]} for name in after}}


def verify(webhook):
    """Returns the decoded body of a webhook, or None if the client rejects the webhook."""
    try:
        return compliance.verify_webhook(webhook["body"], webhook["headers"], webhook["secrets"], now=webhook["now"])
    except compliance.WebhookVerificationError:
        return None


plan = json.load(sys.stdin)
is_async = sys.argv[1] == "async"
if "cases" in plan:
    output = asyncio.run(run_cases_async(plan["cases"])) if is_async else run_cases(plan["cases"])
elif "webhooks" in plan:
    output = [verify(webhook) for webhook in plan["webhooks"]]
elif "load" in plan:
    output = asyncio.run(load_async(plan["load"])) if is_async else load(plan["load"])
else:
    output = methods((compliance.AsyncClient if is_async else compliance.Client)("key"))
json.dump(output, sys.stdout)
