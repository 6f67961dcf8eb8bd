// Draws the QR codes of the verification pages with the library that Shopify provides to themes.
for (const box of document.querySelectorAll('[data-compliance-qr]:empty')) {
  new QRCode(box, { text: box.dataset.complianceQr, width: 96, height: 96 });
}
