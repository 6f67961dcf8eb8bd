// Shows the certificates' current status. If a request fails, shoppers can still use the link to check the status.
for (const line of document.querySelectorAll('[data-compliance-status]:empty')) {
  fetch(`${line.dataset.complianceStatus}/verification`, { credentials: 'omit', referrerPolicy: 'no-referrer' })
    .then(response => response.json())
    .then(({ status }) => {
      if (Object.hasOwn(line.dataset, status)) line.textContent = line.dataset[status];
    })
    .catch(() => {});
}
