import de from '@shopify/polaris/locales/de.json';
import en from '@shopify/polaris/locales/en.json';
import es from '@shopify/polaris/locales/es.json';
import fr from '@shopify/polaris/locales/fr.json';
import ja from '@shopify/polaris/locales/ja.json';

/** Messages for the kit's own components, by language. */
export const KIT_MESSAGES = { de, en, es, fr, ja };
