/**
 * Date through which the scan rules reflect platform changes (YYYY-MM-DD). Changes announced later aren't included.
 * Update this date after comparing the rules with their sources.
 */
export const RULES_KNOWN_THROUGH = '2026-11-21';
