// Draws QR codes that link to the verification pages, using the library that Shopify provides to themes.
for (const box of document.querySelectorAll('[data-compliance-qr]:empty')) {
  new QRCode(box, { text: box.dataset.complianceQr, width: 96, height: 96 });
}
