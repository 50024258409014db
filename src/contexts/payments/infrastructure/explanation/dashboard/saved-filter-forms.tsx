import type { VNode } from 'preact';
import { type FormFields, HIDDEN_FIELD, type SubmittedFields } from '#shared/web/dashboard/form-fields.js';
import { FormWithErrors } from '#shared/web/dashboard/form-parts.js';
import { t } from '#shared/web/dashboard/words/text.js';
import { MAX_FILTER_NAME_LENGTH } from '#contexts/payments/application/explanation/change-saved-filters.js';

export const SAVED_FILTER_PATH = '/app/payments/filters';

export const REMOVE_FILTER_FIELDS = { name: HIDDEN_FIELD } satisfies FormFields;

export const SAVE_FILTER_FIELDS = {
  name: { label: 'Name', required: true, maxlength: MAX_FILTER_NAME_LENGTH, autocomplete: 'off' },
  pos: HIDDEN_FIELD,
  status: HIDDEN_FIELD,
  reference: HIDDEN_FIELD,
  from: HIDDEN_FIELD,
  to: HIDDEN_FIELD,
} satisfies FormFields;

/** Offers to save the present filters, or to remove them if they are the saved filter with this name. */
export function SavedFilterForms({
  name,
  query,
}: {
  name: string | undefined;
  query: SubmittedFields;
}): VNode {
  if (name !== undefined)
    return (
      <FormWithErrors fields={REMOVE_FILTER_FIELDS} values={{ name }} action={`${SAVED_FILTER_PATH}/remove`}>
        <button class="button">{t('Remove saved filter')}</button>
      </FormWithErrors>
    );
  return (
    <details>
      <summary>{t('Save filter')}</summary>
      <FormWithErrors fields={SAVE_FILTER_FIELDS} values={query} action={SAVED_FILTER_PATH}>
        <button class="button">{t('Save')}</button>
      </FormWithErrors>
    </details>
  );
}
