import { Typed } from '#shared/platform/http/dashboard/typed-field.js';
import type { DescribedPointOfSale } from '../../application/describe-point-of-sale.js';

/** Longer than any value of a field. */
const MAX_FIELD_LENGTH = 2048;

/** All that can change; texts as typed. */
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

/** As the use cases take it: what is left empty is not said. */
export function describedIn(form: ChangePointOfSaleForm): DescribedPointOfSale {
  const [description, taxId] = [said(form.merchant_description), said(form.merchant_tax_id)];
  const [image, mcc] = [said(form.merchant_image), said(form.merchant_mcc)];
  return {
    name: form.name ?? '',
    merchant: {
      name: form.merchant_name ?? '',
      ...(description === undefined ? {} : { description }),
      ...(taxId === undefined ? {} : { taxId }),
      ...(image === undefined ? {} : { image }),
      ...(mcc === undefined ? {} : { mcc }),
    },
    paymentOptions: linesOf(form.payment_options),
    returnUrl: said(form.return_url),
    frameOrigins: linesOf(form.frame_origins),
  };
}

function said(text = ''): string | undefined {
  return text.trim() === '' ? undefined : text.trim();
}

function linesOf(text = ''): string[] {
  return text.split(/[\s,]+/).filter((line) => line !== '');
}
