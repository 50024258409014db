import type { VNode } from 'preact';
import { TextField, type ShownRefusal } from './form-parts.js';

/** Where a form asks for the second factor again; it posts `code`. */
export function SecondFactorField({ refusal }: { refusal?: ShownRefusal | undefined }): VNode {
  return (
    <TextField
      name="code"
      label="One-time code"
      hint="From your authenticator app, or one of your recovery codes."
      autocomplete="one-time-code"
      refusal={refusal}
      required
    />
  );
}
