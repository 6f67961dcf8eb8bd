// Shows the certificates' current status. Without a response, shoppers can still follow the link to the status.
for (const line of document.querySelectorAll('[data-compliance-status]:empty')) {
  fetch(`${line.dataset.complianceStatus}/verification`, { credentials: 'omit', referrerPolicy: 'no-referrer' })
    .then(response => response.json())
    .then(({ status }) => {
      if (Object.hasOwn(line.dataset, status)) line.textContent = line.dataset[status];
    })
    .catch(() => {});
}
