import type { VNode } from 'preact';
import { MAX_EMAIL_LENGTH } from '#shared/kernel/email-address.js';
import type { PageView } from '../page-view.js';

/** Form for the receipt's mail address. It stays the same while a payment is confirmed and afterwards. */
export function ReceiptMailPart({ model, text }: PageView): VNode {
  const { receiptMail: state } = model;
  if (state === undefined) return <section id="mail" hidden />;
  return (
    <section id="mail" class="receipt" aria-labelledby="mail-title">
      <h3 id="mail-title">{text.mailTitle}</h3>
      {state === 'over' ? (
        <p class="note">{text.mailOver}</p>
      ) : (
        <form
          method="post"
          class="options"
          action={`/checkout/${encodeURIComponent(model.sessionId)}/receipt-mail`}
        >
          <label class="label" for="email">
            {text.mailAddress}
          </label>
          <input
            class="option"
            id="email"
            name="email"
            type="email"
            required
            maxLength={MAX_EMAIL_LENGTH}
            autocomplete="email"
            aria-invalid={state === 'invalid'}
            aria-describedby="mail-note"
          />
          <p class={state === 'invalid' ? 'warning' : 'note'} id="mail-note">
            {{ offered: text.mailNote, invalid: text.mailInvalid, asked: text.mailAsked }[state]}
          </p>
          <button class="button">{text.mailSend}</button>
        </form>
      )}
    </section>
  );
}
