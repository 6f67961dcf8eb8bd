// Looks codes up as they are typed. Nothing leaves the browser: the lists are in the bundle.

import { easternDate, lookup } from '@compliance/core/tariff';

const [codes, date, answers, known] = ['codes', 'date', 'answers', 'known'].map(id => document.getElementById(id));

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text; // Text, not HTML: a code may be anything that was pasted.
  return made;
}

function answer() {
  if (!date.value) return;
  const lines = codes.value.split('\n').filter(line => line.trim() !== '');
  const { results, list } = lookup(lines, { asOf: date.value });
  answers.replaceChildren(
    ...results.flatMap(({ code, status, message }) => [element('dt', `${code}: ${status}`), element('dd', message)]),
  );
  known.textContent = `The lists are known through ${list.known_through}.`;
}

date.value = easternDate(Date.now());
codes.addEventListener('input', answer);
date.addEventListener('input', answer);
answer();
