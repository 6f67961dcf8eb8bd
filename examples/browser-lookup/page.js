// Looks up codes as you type. Nothing leaves the browser: the bundle contains the lists.

import { easternDate, lookup } from '@compliance/core/tariff';

const [codes, date, answers, known] = ['codes', 'date', 'answers', 'known'].map(id => document.getElementById(id));

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text; // Set as text, not as HTML, because pasted text can contain markup.
  return made;
}

function answer() {
  if (!date.value) return;
  const lines = codes.value.split('\n').filter(line => line.trim() !== '');
  const { results, list } = lookup(lines, { asOf: date.value });
  answers.replaceChildren(
    ...results.flatMap(({ code, status, message }) => [element('dt', `${code}: ${status}`), element('dd', message)]),
  );
  known.textContent = `Lists checked through ${list.known_through}. ${list.not_included}`;
}

date.value = easternDate(Date.now());
codes.addEventListener('input', answer);
date.addEventListener('input', answer);
answer();
