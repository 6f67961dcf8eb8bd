"""Validates a folder's signed PDFs with pyHanko, which must also reject modified copies. Usage: validate.py FOLDER"""

import io
import logging
import sys
from pathlib import Path

from pyhanko.keys import load_cert_from_pemder
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko.sign.validation.status import SignatureCoverageLevel
from pyhanko_certvalidator import ValidationContext

logging.disable()
folder = Path(sys.argv[1])
root = load_cert_from_pemder(str(folder / "ca.pem"))
failed = 0


def status_of(pdf):
    context = ValidationContext(trust_roots=[root], allow_fetching=False)
    signature = PdfFileReader(io.BytesIO(pdf)).embedded_signatures[0]
    return signature, validate_pdf_signature(signature, signer_validation_context=context, ts_validation_context=context)


def report(name, faults):
    global failed
    print(("FAIL " if faults else "pass ") + name, *faults)
    failed += bool(faults)


for path in sorted(folder.glob("*.pdf")):
    pdf = path.read_bytes()
    signature, status = status_of(pdf)
    faults = []
    if not (status.valid and status.intact):
        faults.append("the signature is not valid")
    if not path.stem.endswith("voided"):
        if not (status.trusted and status.bottom_line):
            faults.append("the signature is not trusted")
        if status.coverage != SignatureCoverageLevel.ENTIRE_FILE:
            faults.append(f"the signature covers {status.coverage}")
    if signature.sig_object["/SubFilter"] != "/ETSI.CAdES.detached":
        faults.append("the signature is not in PAdES format")
    timestamp = status.timestamp_validity
    if path.stem.endswith("-b") != (timestamp is None):
        faults.append("the PAdES level is wrong")
    if timestamp is not None and not (timestamp.valid and timestamp.intact and timestamp.trusted):
        faults.append("the timestamp is not valid")
    report(f"pyHanko {path.name}", faults)
    if path.stem.endswith("voided"):
        continue
    # The signature is padded with zeros, which pyHanko ignores, so change only bytes outside the padding.
    _, start, end, _ = (int(number) for number in signature.sig_object["/ByteRange"])
    for at in (5, start // 3, start // 2, start - 5, start + 9, start + 401, end + 5, len(pdf) - 2):
        changed = bytearray(pdf)
        changed[at] ^= 1
        try:
            found = not status_of(bytes(changed))[1].intact
        except Exception:  # Parsing a damaged file can raise any exception.
            found = True
        if not found:
            report(f"pyHanko {path.name}", [f"a change to byte {at} was not detected"])
sys.exit(1 if failed else 0)
