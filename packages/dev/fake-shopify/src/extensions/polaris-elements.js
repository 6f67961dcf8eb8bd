// Simplified versions of the Polaris web components that extensions use. Their roles, names, and events match those of
// the real components, but their design doesn't.

/**
 * Defines the components.
 *
 * @param notify sends a message to the admin, such as a link's URL or the document to print
 */
export function definePolarisElements(notify) {
  /**
   * Defines a component whose properties reflect its attributes. `update` runs when the component is connected and
   * after each attribute change.
   */
  function define(tag, { properties = [], shadow, update = () => {} }) {
    class Component extends HTMLElement {
      static observedAttributes = properties.map(name => name.toLowerCase());
      constructor() {
        super();
        if (shadow) this.attachShadow({ mode: 'open', delegatesFocus: true }).innerHTML = shadow;
      }
      connectedCallback() {
        update(this);
      }
      attributeChangedCallback() {
        if (this.isConnected) update(this);
      }
    }
    for (const name of properties) {
      const isSwitch = SWITCHES.includes(name);
      Object.defineProperty(Component.prototype, name, {
        get() {
          return isSwitch ? this.hasAttribute(name) : (this.getAttribute(name) ?? '');
        },
        set(value) {
          if (isSwitch) this.toggleAttribute(name, Boolean(value));
          else if (value == null) this.removeAttribute(name);
          else this.setAttribute(name, value);
        },
      });
    }
    customElements.define(tag, Component);
  }
  const inside = (element, selector) => element.shadowRoot.querySelector(selector);
  const open = element => event => {
    event.preventDefault();
    notify('open', element.href, element.target);
  };

  define('s-admin-block', {
    properties: ['heading', 'collapsedSummary'],
    shadow: '<section><h2></h2><slot></slot></section>',
    update(element) {
      inside(element, 'h2').textContent = element.heading;
      inside(element, 'section').setAttribute('aria-label', element.heading);
      notify('summary', element.collapsedSummary);
    },
  });
  define('s-admin-action', {
    properties: ['heading', 'loading'],
    shadow: `<h2></h2><slot></slot><p style="display:flex;flex-wrap:wrap;gap:8px;justify-content:end">
      <slot name="secondary-actions"></slot><slot name="primary-action"></slot></p>`,
    update(element) {
      inside(element, 'h2').textContent = element.heading;
      element.toggleAttribute('aria-busy', element.loading);
    },
  });
  define('s-admin-print-action', {
    properties: ['src'],
    shadow: '<slot></slot>',
    update: element => notify('print', element.getAttribute('src')),
  });
  define('s-section', {
    properties: ['heading', 'accessibilityLabel', 'padding'],
    shadow: '<div role="group"><h3></h3><slot></slot></div>',
    update(element) {
      inside(element, 'h3').textContent = element.heading;
      inside(element, 'div').setAttribute('aria-label', element.accessibilityLabel || element.heading);
    },
  });
  define('s-stack', {
    properties: ['direction', 'gap', 'alignItems', 'justifyContent', 'padding'],
    shadow: '<div style="display:flex;gap:8px"><slot></slot></div>',
    update(element) {
      const isInline = element.direction === 'inline';
      Object.assign(inside(element, 'div').style, {
        flexDirection: isInline ? 'row' : 'column',
        flexWrap: isInline ? 'wrap' : 'nowrap',
        alignItems: isInline ? 'center' : 'flex-start',
      });
    },
  });
  define('s-text', {
    properties: ['type', 'tone', 'color'],
    update(element) {
      element.style.fontWeight = element.type === 'strong' ? '600' : '';
    },
  });
  define('s-paragraph', {
    properties: ['tone', 'color'],
    update: element => element.setAttribute('role', 'paragraph'),
  });
  define('s-badge', { properties: ['tone', 'color', 'size', 'icon'] });
  define('s-spinner', {
    properties: ['accessibilityLabel', 'size'],
    update(element) {
      element.setAttribute('role', 'img');
      element.setAttribute('aria-label', element.accessibilityLabel);
    },
  });
  define('s-banner', {
    properties: ['heading', 'tone'],
    shadow: '<div><h3></h3><slot></slot></div>',
    update(element) {
      const isUrgent = element.tone === 'critical' || element.tone === 'warning';
      element.setAttribute('role', isUrgent ? 'alert' : 'status');
      inside(element, 'h3').textContent = element.heading;
    },
  });
  define('s-unordered-list', { update: element => element.setAttribute('role', 'list') });
  define('s-list-item', {
    update(element) {
      element.setAttribute('role', 'listitem');
      Object.assign(element.style, { display: 'list-item', marginInlineStart: '20px' });
    },
  });
  define('s-button', {
    properties: ['variant', 'tone', 'disabled', 'loading', 'href', 'target', 'accessibilityLabel'],
    shadow: '<button type="button"><slot></slot></button>',
    update(element) {
      const button = inside(element, 'button');
      button.disabled = element.disabled || element.loading;
      button.setAttribute('aria-busy', element.loading);
      if (element.accessibilityLabel) button.setAttribute('aria-label', element.accessibilityLabel);
      button.onclick = element.href ? open(element) : null;
    },
  });
  define('s-link', {
    properties: ['href', 'target', 'tone', 'accessibilityLabel'],
    shadow: '<a><slot></slot></a>',
    update(element) {
      const link = inside(element, 'a');
      link.href = element.href;
      link.onclick = open(element);
    },
  });

  const CHOICES = 's-choice';
  define(CHOICES, {
    properties: ['value', 'disabled', 'selected'],
    shadow: '<label><input type="radio"> <slot></slot></label>',
    update(element) {
      const input = inside(element, 'input');
      input.checked = element.selected;
      input.disabled = element.disabled;
      input.onchange = () => {
        const list = element.closest('s-choice-list');
        for (const choice of list.querySelectorAll(CHOICES)) choice.selected = choice === element;
        list.dispatchEvent(new Event('change', { bubbles: true }));
      };
    },
  });
  define('s-choice-list', {
    properties: ['label', 'name'],
    shadow: '<fieldset style="border:0;padding:0;margin:0"><legend></legend><slot></slot></fieldset>',
    update(element) {
      inside(element, 'legend').textContent = element.label;
    },
  });
  Object.defineProperty(customElements.get('s-choice-list').prototype, 'values', {
    get() {
      return [...this.querySelectorAll(CHOICES)].filter(({ selected }) => selected).map(({ value }) => value);
    },
    set(values) {
      for (const choice of this.querySelectorAll(CHOICES)) choice.selected = values?.includes(choice.value) ?? false;
    },
  });
}

/** Boolean properties. */
const SWITCHES = ['disabled', 'loading', 'selected'];
