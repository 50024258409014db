import type { FormRefusal } from '#shared/platform/http/dashboard/form-refusal.js';

/** The use cases name fields as the API does (`config.merchant.name`), the form has them flat (`merchant_name`). */
export function refusedFields(refusal: FormRefusal): FormRefusal {
  const errors = refusal.errors.map((error) => ({
    ...error,
    field: error.field.replace(/^config\./, '').replace(/^merchant\./, 'merchant_'),
  }));
  return { ...refusal, errors };
}
