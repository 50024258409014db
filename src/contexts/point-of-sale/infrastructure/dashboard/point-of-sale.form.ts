import type { FormRefusal } from '#shared/platform/http/dashboard/form-refusal.js';
import { Typed } from '#shared/platform/http/dashboard/typed-field.js';
import type { DescribedPointOfSale } from '../../application/describe-point-of-sale.js';
import type { PointOfSaleView } from '../../application/points-of-sale-records.js';
import { merchantFields, merchantInFields, type MerchantFields } from '../../domain/point-of-sale.js';

/** Longer than any value of a field. */
const MAX_FIELD_LENGTH = 2048;

/** Everything that can change; texts as typed. */
export class ChangePointOfSaleForm {
  @Typed(MAX_FIELD_LENGTH) name?: string;
  @Typed(MAX_FIELD_LENGTH) merchant_name?: string;
  @Typed(MAX_FIELD_LENGTH) merchant_description?: string;
  @Typed(MAX_FIELD_LENGTH) merchant_tax_id?: string;
  @Typed(MAX_FIELD_LENGTH) merchant_image?: string;
  @Typed(MAX_FIELD_LENGTH) merchant_mcc?: string;
  /** Unique asset ids, one on each line. */
  @Typed(20_000) payment_options?: string;
  @Typed(MAX_FIELD_LENGTH) return_url?: string;
  /** One on each line. */
  @Typed(50_000) frame_origins?: string;
}

export class NewPointOfSaleForm extends ChangePointOfSaleForm {
  @Typed(MAX_FIELD_LENGTH) type?: string;
  @Typed(MAX_FIELD_LENGTH) account_id?: string;
}

export class PointOfSaleDoneQuery {
  @Typed(MAX_FIELD_LENGTH) done?: string;
}

/** The lines of the form that describe the merchant. */
export const MERCHANT_LINES: readonly {
  readonly name: keyof ChangePointOfSaleForm;
  readonly label: string;
  readonly hint?: string;
}[] = [
  { name: 'merchant_name', label: 'Merchant', hint: 'As payers see the merchant.' },
  { name: 'merchant_description', label: 'Merchant’s description (optional)' },
  { name: 'merchant_tax_id', label: 'Tax id (optional)' },
  { name: 'merchant_image', label: 'Logo (optional)', hint: 'https:// address of a picture.' },
  { name: 'merchant_mcc', label: 'Merchant category code (optional)', hint: 'Four digits, like 5814.' },
];

/** The form names its fields as the API does, and puts this before the names of the merchant's. */
const MERCHANT_PREFIX = 'merchant_';

/** A field left empty is absent for the use cases. */
export function describedIn(form: ChangePointOfSaleForm): DescribedPointOfSale {
  const typed = MERCHANT_LINES.map(({ name }) => [name.slice(MERCHANT_PREFIX.length), filled(form[name])]);
  const merchant = Object.fromEntries(typed) as MerchantFields;
  return {
    name: form.name ?? '',
    merchant: merchantInFields({ ...merchant, name: merchant.name ?? '' }),
    paymentOptions: linesOf(form.payment_options),
    returnUrl: filled(form.return_url),
    frameOrigins: linesOf(form.frame_origins),
  };
}

/** The form as it is filled for a point of sale that exists. */
export function formOf(point: PointOfSaleView): ChangePointOfSaleForm {
  const merchant = Object.entries(merchantFields(point.merchant)).map(([name, text]) => [
    MERCHANT_PREFIX + name,
    text ?? '',
  ]);
  return {
    ...(Object.fromEntries(merchant) as ChangePointOfSaleForm),
    name: point.name,
    payment_options: point.paymentOptions.join('\n'),
    return_url: point.returnUrl ?? '',
    frame_origins: point.frameOrigins.join('\n'),
  };
}

/** The use cases name fields as the API does (`config.merchant.name`); the form names them flat (`merchant_name`). */
export function refusedFields(refusal: FormRefusal): FormRefusal {
  const errors = refusal.errors.map((error) => ({
    ...error,
    field: error.field.replace(/^config\./, '').replace(/^merchant\./, MERCHANT_PREFIX),
  }));
  return { ...refusal, errors };
}

function filled(text = ''): string | undefined {
  return text.trim() === '' ? undefined : text.trim();
}

function linesOf(text = ''): string[] {
  return text.split(/[\s,]+/).filter((line) => line !== '');
}
