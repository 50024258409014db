import type { ComponentChildren, VNode } from 'preact';
import type { SharedMessages } from '../messages/shared-messages.js';

/**
 * Browsers must not translate an address, amount, id or hash. A string, because Preact renders nothing for
 * `translate={false}`.
 */
export const NOT_TRANSLATED = { translate: 'no' } as unknown as { readonly translate: false };

/** Attributes for inputs of exact values, such as addresses: phones must not correct them. */
export const NOT_CORRECTED = { autocapitalize: 'off', autocorrect: 'off', spellcheck: false } as const;

interface FactProps {
  readonly name: string;
  /** True for an amount or address, which browsers must not translate. */
  readonly exact?: boolean;
  readonly children: ComponentChildren;
}

/** A name with its value. Renders nothing if the value is undefined or false. */
export function DetailItem({ name, exact = false, children }: FactProps): VNode | null {
  if (children === undefined || children === false) return null;
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd {...(exact && NOT_TRANSLATED)}>{children}</dd>
    </div>
  );
}

interface CopyableProps {
  readonly id: string;
  readonly label: string;
  /** Text that the button copies. */
  readonly value: string;
  /** Displayed after the value, but not copied. */
  readonly unit?: string;
  /** Truncates the displayed value to one line. */
  readonly cut?: boolean;
  readonly large?: boolean;
  /** Name of the button (default: "Copy", followed by the label for screen readers). */
  readonly copy?: string;
  readonly text: Pick<SharedMessages, 'copy' | 'copied' | 'selected'>;
}

/**
 * A name and value with a button that copies the value. The script displays the button; without it, the value can be
 * selected.
 */
export function Copyable({ id, label, value, unit, cut, large, copy, text }: CopyableProps): VNode {
  return (
    <div class="row">
      <dt id={`${id}-label`}>{label}</dt>
      <dd>
        <span class={`value${cut === true ? ' cut' : ''}${large === true ? ' large' : ''}`}>
          <span id={id} {...NOT_TRANSLATED}>
            {value}
          </span>
          {unit !== undefined && ` ${unit}`}
        </span>
        <button
          type="button"
          class="copy"
          id={`${id}-copy`}
          hidden
          aria-labelledby={copy === undefined ? `${id}-copy ${id}-label` : undefined}
          data-copy={id}
          data-done={text.copied}
          data-selected={text.selected}
        >
          {copy ?? text.copy}
        </button>
      </dd>
    </div>
  );
}
