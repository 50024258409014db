/** Creates an element with DOM calls only, so that it works on pages that require Trusted Types. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  element.append(...children);
  return element;
}

const STYLE = `
:host { display: inline-block }
:host([hidden]) { display: none }
[part] { box-sizing: border-box; font: inherit }
button { cursor: pointer; border: 0; min-height: 2.75rem }
button:focus-visible { outline: 3px solid; outline-offset: 2px }
[part=button] { width: 100%; padding: .5em 1.25em; border-radius: .5em; background: #1d4ed8; color: #fff }
[part=button]:focus-visible { outline-color: #1d4ed8 }
[part=button]:disabled { cursor: default; opacity: .5 }
dialog { color-scheme: light dark; background: Canvas; color: CanvasText; border: 0; padding: 0; overflow: hidden;
  width: 30rem; height: 54rem; max-width: 100%; max-height: calc(100% - 2rem); border-radius: .75rem }
dialog[open] { display: flex; flex-direction: column }
dialog::backdrop { background: rgb(0 0 0 / .6) }
[part=close] { align-self: end; width: 2.75rem; background: none; color: inherit; font-size: 1.5rem; line-height: 1 }
[part=close]:focus-visible { outline-offset: -3px }
iframe { flex: 1; width: 100%; border: 0; color-scheme: light dark }
@media (max-width: 40rem) { dialog { width: 100%; height: 100%; max-height: 100%; border-radius: 0 } }`;

/** Creates the style sheet. A constructed style sheet, unlike a style element, needs no `style-src` entry in the shop's CSP. */
export function styleSheet(): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  return sheet;
}
