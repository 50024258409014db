import type { VNode } from 'preact';
import { EXACT } from './exact.js';
import type { SharedMessages } from '../messages/shared-messages.js';

interface CopyableProps {
  readonly id: string;
  readonly label: string;
  /** Copied unchanged. */
  readonly value: string;
  /** Displayed after the value; not copied. */
  readonly unit?: string;
  /** Truncates the value to one line. */
  readonly cut?: boolean;
  readonly large?: boolean;
  readonly text: Pick<SharedMessages, 'copy' | 'copied' | 'selected'>;
}

/** A row of a `<dl>` with a copy button. The script reveals the button; without it the value can be selected. */
export function Copyable({ id, label, value, unit, cut, large, text }: CopyableProps): VNode {
  return (
    <div class="row">
      <dt id={`${id}-label`}>{label}</dt>
      <dd>
        <span class={`value${cut === true ? ' cut' : ''}${large === true ? ' large' : ''}`}>
          <span id={id} {...EXACT}>
            {value}
          </span>
          {unit !== undefined && ` ${unit}`}
        </span>
        <button
          type="button"
          class="copy"
          id={`${id}-copy`}
          hidden
          aria-describedby={`${id}-label`}
          data-copy={id}
          data-done={text.copied}
          data-selected={text.selected}
        >
          {text.copy}
        </button>
      </dd>
    </div>
  );
}
