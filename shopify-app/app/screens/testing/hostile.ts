/** What strangers put into titles, names and codes. All of it is text, and nothing around it moves. */
export const HOSTILE = {
  markup: '"><img src=x onerror=window.hacked=1><script>window.hacked=1</script>',
  /** Turns around what comes after it, where nobody shuts it in. */
  turned: 'mug \u202Efdp.exe',
  word: 'Donaudampfschifffahrtsgesellschaft'.repeat(8).slice(0, 255),
  signs: '👩🏽‍🚀 e\u0301tui \u200B漢字 & co',
  /** Words of our own templates. */
  template: '{{count}} $t(app.name) %s',
  nullish: 'null',
} as const;
