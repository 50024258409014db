import type { VNode } from 'preact';
import { TextField, type ShownRefusal } from '#shared/web/dashboard/form-parts.js';
import type { AccountForm } from '../account.form.js';

interface AccountFieldsProps {
  readonly values: AccountForm;
  readonly refusal: ShownRefusal | undefined;
}

export const ACCOUNT_FIELDS = ['name', 'external_id'];

/** What can be said of an account. */
export function AccountFields({ values, refusal }: AccountFieldsProps): VNode {
  return (
    <>
      <TextField
        name="name"
        label="Name"
        value={values.name}
        maxlength={200}
        refusal={refusal}
        autocomplete="off"
        required
      />
      <TextField
        name="external_id"
        label="External id (optional)"
        hint="Your own id of it, unique in the organization for good: a deleted account keeps its."
        value={values.external_id}
        maxlength={128}
        refusal={refusal}
        autocomplete="off"
      />
    </>
  );
}
