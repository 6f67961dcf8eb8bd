/** Tags that merchants paste into themes. */
export const PASTED = {
  /** Universal Analytics, which stopped collecting data in 2024. */
  universalAnalytics: `<script>
  (function(i,s,o,g,r,a,m){i['GoogleAnalyticsObject']=r;i[r]=i[r]||function(){(i[r].q=i[r].q||[]).push(arguments)}})(window,document,'script','https://www.google-analytics.com/analytics.js','ga');
  ga('create', 'UA-48151623-1', 'auto');
  ga('send', 'pageview');
</script>`,
  /** Meta pixel with the same pixel ID as the web pixel that the Facebook & Instagram app adds. */
  metaPixel: `<script>
  !function(f,b,e,v,n,t,s){if(f.fbq)return;n=f.fbq=function(){n.callMethod?n.callMethod.apply(n,arguments):n.queue.push(arguments)};n.push=n;n.loaded=!0;n.version='2.0';n.queue=[];t=b.createElement(e);t.async=!0;t.src=v;s=b.getElementsByTagName(e)[0];s.parentNode.insertBefore(t,s)}(window,document,'script','https://connect.facebook.net/en_US/fbevents.js');
  fbq('init', '731205580412977');
  fbq('track', 'PageView');
</script>`,
  /** Google Tag Manager container. */
  tagManager: `<script>(function(w,d,s,l,i){w[l]=w[l]||[];w[l].push({'gtm.start':new Date().getTime(),event:'gtm.js'});var f=d.getElementsByTagName(s)[0],j=d.createElement(s);j.async=true;j.src='https://www.googletagmanager.com/gtm.js?id='+i;f.parentNode.insertBefore(j,f);})(window,document,'script','dataLayer','GTM-W7K4PXQ');</script>`,
} as const;

/** Web pixels that apps add. */
export const PIXELS = {
  /** Web pixel that the Facebook & Instagram app adds, with the same pixel ID as the pasted code. */
  meta: {
    id: '1284571422',
    type: 'APP',
    apiClientId: 2_329_312,
    runtimeContext: 'OPEN',
    privacyPurposes: ['ANALYTICS', 'MARKETING', 'SALE_OF_DATA'],
    configuration: { pixel_id: '731205580412977', pixel_type: 'facebook_pixel' },
  },
} as const;

const head = (more: string) => `<!doctype html>
<html class="no-js" lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width,initial-scale=1">
    <title>{{ page_title | escape }}</title>
    {{ content_for_header }}
    ${more}
    {{ 'base.css' | asset_url | stylesheet_tag }}
  </head>`;

const LAYOUT = `${head("{% render 'tracking' %}")}
  <body class="template-{{ template }}">
    {% section 'header' %}
    <main id="MainContent">{{ content_for_layout }}</main>
    {% section 'footer' %}
  </body>
</html>
`;

const PASSWORD_LAYOUT = `${head('')}
  <body class="template-password password">
    <main id="MainContent">{{ content_for_layout }}</main>
  </body>
</html>
`;

const PRODUCTS =
  '<ul>{% for product in products %}<li><a href="/products/{{ product.handle }}">{{ product.title | escape }}</a></li>{% endfor %}</ul>\n';

const schema = (name: string) => `{% schema %}\n{ "name": "${name}", "settings": [] }\n{% endschema %}\n`;

const template = (...types: string[]) =>
  `${JSON.stringify({ sections: Object.fromEntries(types.map(type => [type, { type }])), order: types }, null, 2)}\n`;

/** Returns a theme's files. `tracking` is the pasted code. */
export function sampleThemeFiles(tracking: string): Map<string, string> {
  return new Map([
    ['layout/theme.liquid', LAYOUT],
    ['layout/password.liquid', PASSWORD_LAYOUT],
    ['snippets/tracking.liquid', `{% comment %} Pasted by an agency {% endcomment %}\n${tracking}\n`],
    [
      'sections/header.liquid',
      `<header><a href="/">{{ shop.name | escape }}</a> <a href="/collections/all">Products</a> <a href="/cart">Cart</a></header>\n${schema('Header')}`,
    ],
    ['sections/footer.liquid', `<footer>{{ shop.name | escape }}</footer>\n${schema('Footer')}`],
    [
      'sections/featured-products.liquid',
      `<h1>{{ shop.name | escape }}</h1>\n${PRODUCTS}<a href="/collections/all">All products</a>\n${schema('Featured products')}`,
    ],
    ['templates/index.json', template('featured-products')],
    [
      'templates/product.liquid',
      '<h1>{{ product.title | escape }}</h1>\n<p>{{ product.vendor | escape }}</p>\n<form method="post" action="/cart/add"><button>Add to cart</button></form>\n',
    ],
    ['templates/collection.liquid', `<h1>Products</h1>\n${PRODUCTS}`],
    ['templates/cart.liquid', '<h1>Your cart</h1>\n<p>It is empty.</p>\n'],
    ['templates/404.liquid', '<h1>Page not found</h1>\n'],
    [
      'templates/password.liquid',
      '<h1>Opening soon</h1>\n<form method="post" action="/password" id="login_form"><input type="hidden" name="form_type" value="storefront_password">\n<label>Password <input type="password" name="password"></label> <button>Enter</button></form>\n',
    ],
    ['assets/base.css', 'body { font: 16px sans-serif; margin: 0 auto; max-width: 60rem; }\n'],
    ['config/settings_data.json', '{ "current": {} }\n'],
    ['locales/en.default.json', '{ "general": {} }\n'],
  ]);
}
