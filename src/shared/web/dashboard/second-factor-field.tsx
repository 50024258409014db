import type { VNode } from 'preact';
import { TextField, type ShownRefusal } from './form-parts.js';

/**
 * Where a form asks for the second factor; it posts `code`. The button is revealed where the browser knows passkeys: what
 * the passkey signs is posted in the place of a code.
 */
export function SecondFactorField({
  refusal,
  autofocus = false,
}: {
  refusal?: ShownRefusal | undefined;
  autofocus?: boolean;
}): VNode {
  return (
    <div class="stack">
      <TextField
        name="code"
        label="One-time code"
        hint="From your authenticator app, or one of your recovery codes."
        autocomplete="one-time-code"
        refusal={refusal}
        autofocus={autofocus}
        required
      />
      <button type="button" class="button" data-passkey="prove" hidden>
        Use a passkey instead
      </button>
    </div>
  );
}
