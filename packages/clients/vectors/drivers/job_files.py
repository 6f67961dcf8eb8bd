"""Uploads a job's file and downloads its result and certificates with both clients. Prints the outcomes as JSON."""

import asyncio
import hashlib
import io
import json
import sys

import compliance
from compliance.transport import AsyncPool, Pool, Request, Response

SETUP = json.loads(sys.argv[1])
JOB = {"id": "blk_1", "upload_url": SETUP["base"] + "/input?a=1", "result_url": SETUP["base"] + "/result?a=1"}
ISSUED = {**JOB, "certificates_url": SETUP["base"] + "/certificates?a=1"}
OPTIONS = {"api_key": SETUP["key"], "base_url": SETUP["base"], "allow_http": True, "timeout": SETUP["timeout"]}
FILE = b"7318.15.2061\n" * SETUP["lines"]

seen = []


def outcome(error):
    return {"error": type(error).__name__, "message": str(error), "code": getattr(error, "code", None)}


def digest(file):
    return hashlib.sha256(file.getvalue()).hexdigest()


def run_sync():
    pool = Pool()

    def transport(request: Request, timeout: float) -> Response:
        seen.append([request.method, request.source is not None, request.target is not None])
        return pool(request, timeout)

    with compliance.Client(transport=transport, **OPTIONS) as client:
        result, certificates = io.BytesIO(), io.BytesIO()
        try:
            job = client.upload_job_file(JOB, io.BytesIO(FILE))
            client.download_job_result(JOB, result)
            client.download_job_certificates(ISSUED, certificates)
        except compliance.ComplianceError as error:
            return outcome(error)
        finally:
            pool.close()
        return {"id": job["id"], "sha256": digest(result), "certificates": digest(certificates)}


async def run_async():
    pool = AsyncPool()

    async def transport(request: Request, timeout: float) -> Response:
        seen.append([request.method, request.source is not None, request.target is not None])
        return await pool(request, timeout)

    async with compliance.AsyncClient(transport=transport, **OPTIONS) as client:
        result, certificates = io.BytesIO(), io.BytesIO()
        try:
            job = await client.upload_job_file(JOB, io.BytesIO(FILE))
            await client.download_job_result(JOB, result)
            await client.download_job_certificates(ISSUED, certificates)
        except compliance.ComplianceError as error:
            return outcome(error)
        finally:
            await pool.close()
        return {"id": job["id"], "sha256": digest(result), "certificates": digest(certificates)}


outcomes = {"sync": run_sync(), "async": asyncio.run(run_async())}
print(json.dumps({**outcomes, "requests": seen}))
