/** Hostile titles, names, and codes, which screens must show as plain text without affecting the surrounding text. */
export const HOSTILE = {
  markup: '"><img src=x onerror=window.hacked=1><script>window.hacked=1</script>',
  /**
   * Text with a directional override, which also reverses the text that follows unless the app isolates the override.
   */
  reversed: 'mug \u202Efdp.exe',
  word: 'Donaudampfschifffahrtsgesellschaft'.repeat(8).slice(0, 255),
  unicode: '👩🏽‍🚀 e\u0301tui \u200B漢字 & co',
  /** Text that contains message template syntax. */
  template: '{{count}} $t(app.name) %s',
  nullish: 'null',
} as const;
