import { Typed } from '#shared/platform/http/dashboard/typed-field.js';
import type { DescribedPointOfSale } from '../../application/describe-point-of-sale.js';

/** Longer than any value of a field. */
const LONGEST_FIELD = 2048;

/** All that can change; texts as typed. */
export class ChangePointOfSaleForm {
  @Typed(LONGEST_FIELD) name?: string;
  @Typed(LONGEST_FIELD) merchant_name?: string;
  @Typed(LONGEST_FIELD) merchant_description?: string;
  @Typed(LONGEST_FIELD) merchant_tax_id?: string;
  @Typed(LONGEST_FIELD) merchant_image?: string;
  @Typed(LONGEST_FIELD) merchant_mcc?: string;
  /** Unique asset ids, one on each line. */
  @Typed(20_000) payment_options?: string;
  @Typed(LONGEST_FIELD) return_url?: string;
  /** One on each line. */
  @Typed(50_000) frame_origins?: string;
}

export class NewPointOfSaleForm extends ChangePointOfSaleForm {
  @Typed(LONGEST_FIELD) type?: string;
  @Typed(LONGEST_FIELD) account_id?: string;
}

export class PointOfSaleDoneQuery {
  @Typed(LONGEST_FIELD) done?: string;
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
