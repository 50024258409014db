import { AnyText } from '../../../../shared/platform/http/validation/field-rules.js';
import type { DescribedPointOfSale } from '../../application/describe-point-of-sale.js';

const typed = (maxLength = 2048) => AnyText({ maxLength }, { optional: true });

/** All that can change; texts as typed. */
export class ChangePointOfSaleForm {
  @typed() name?: string;
  @typed() merchant_name?: string;
  @typed() merchant_description?: string;
  @typed() merchant_tax_id?: string;
  @typed() merchant_image?: string;
  @typed() merchant_mcc?: string;
  /** Unique asset ids, one on each line. */
  @typed(20_000) payment_options?: string;
  @typed() return_url?: string;
  /** One on each line. */
  @typed(50_000) frame_origins?: string;
}

export class NewPointOfSaleForm extends ChangePointOfSaleForm {
  @typed() type?: string;
  @typed() account_id?: string;
}

export class PointOfSaleDoneQuery {
  @typed() done?: string;
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
