/** Tags as they are pasted into themes, with what a scan should say of them. */
export const PASTED = {
  /** Universal Analytics, which collects nothing since 2024. */
  universalAnalytics: `<script>
  (function(i,s,o,g,r,a,m){i['GoogleAnalyticsObject']=r;i[r]=i[r]||function(){(i[r].q=i[r].q||[]).push(arguments)}})(window,document,'script','https://www.google-analytics.com/analytics.js','ga');
  ga('create', 'UA-48151623-1', 'auto');
  ga('send', 'pageview');
</script>`,
  /** A Meta pixel beside the one of the app. */
  metaPixel: `<script>
  !function(f,b,e,v,n,t,s){if(f.fbq)return;n=f.fbq=function(){n.callMethod?n.callMethod.apply(n,arguments):n.queue.push(arguments)};n.push=n;n.loaded=!0;n.version='2.0';n.queue=[];t=b.createElement(e);t.async=!0;t.src=v;s=b.getElementsByTagName(e)[0];s.parentNode.insertBefore(t,s)}(window,document,'script','https://connect.facebook.net/en_US/fbevents.js');
  fbq('init', '731205580412977');
  fbq('track', 'PageView');
</script>`,
  /** A tag manager. */
  tagManager: `<script>(function(w,d,s,l,i){w[l]=w[l]||[];w[l].push({'gtm.start':new Date().getTime(),event:'gtm.js'});var f=d.getElementsByTagName(s)[0],j=d.createElement(s);j.async=true;j.src='https://www.googletagmanager.com/gtm.js?id='+i;f.parentNode.insertBefore(j,f);})(window,document,'script','dataLayer','GTM-W7K4PXQ');</script>`,
} as const;

/** Web pixels of apps, as merchants connect them. */
export const PIXELS = {
  /** The Facebook & Instagram app with the pixel that is pasted as well. */
  meta: {
    id: '1284571422',
    type: 'APP',
    apiClientId: 2_329_312,
    runtimeContext: 'OPEN',
    privacyPurposes: ['ANALYTICS', 'MARKETING', 'SALE_OF_DATA'],
    configuration: { pixel_id: '731205580412977', pixel_type: 'facebook_pixel' },
  },
} as const;

const LAYOUT = `<!doctype html>
<html class="no-js" lang="en">
  <head>
    <meta charset="utf-8">
    <title>{{ page_title | escape }}</title>
    {{ content_for_header }}
    {% render 'tracking' %}
  </head>
  <body class="template-{{ template }}">
    {% render 'header' %}
    <main id="MainContent">{{ content_for_layout }}</main>
    <footer>{{ shop.name | escape }}</footer>
  </body>
</html>
`;

const PRODUCTS =
  '<ul>{% for product in products %}<li><a href="/products/{{ product.handle }}">{{ product.title | escape }}</a></li>{% endfor %}</ul>\n';

/** The files of a theme; `tracking` is what somebody once pasted into it. */
export function themeFiles(tracking: string): Map<string, string> {
  return new Map([
    ['layout/theme.liquid', LAYOUT],
    ['snippets/tracking.liquid', `{% comment %} Pasted by an agency {% endcomment %}\n${tracking}\n`],
    ['snippets/header.liquid', '<header><a href="/">{{ shop.name | escape }}</a> <a href="/cart">Cart</a></header>\n'],
    [
      'templates/index.liquid',
      `<h1>{{ shop.name | escape }}</h1>\n${PRODUCTS}<a href="/collections/all">All products</a>\n`,
    ],
    [
      'templates/product.liquid',
      '<h1>{{ product.title | escape }}</h1>\n<p>{{ product.vendor | escape }}</p>\n<form method="post" action="/cart/add"><button>Add to cart</button></form>\n',
    ],
    ['templates/collection.liquid', `<h1>Products</h1>\n${PRODUCTS}`],
    ['templates/cart.liquid', '<h1>Your cart</h1>\n<p>It is empty.</p>\n'],
    ['config/settings_data.json', '{ "current": {} }\n'],
  ]);
}
