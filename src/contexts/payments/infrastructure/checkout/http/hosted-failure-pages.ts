import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DomainError, type FieldError } from '#shared/kernel/domain-error.js';
import { CrossSiteRefused } from '#shared/platform/http/browsers/cross-site.js';
import { ErrorPageSender, type HttpFailure } from '#shared/platform/http/errors/error-kinds.js';
import {
  AssetChangedTooOftenError,
  AssetShownAtTillError,
  CheckoutEndedError,
  PaymentSeenError,
  SignedPaymentPendingError,
} from '#contexts/payments/domain/requests/asset-change-rule.js';
import { CachedCheckoutReader } from '../polling/cached-checkout-reader.js';
import { pageLanguageOf } from '#shared/platform/http/browsers/page-language.js';
import { allowCrossOriginOpener, sendHtmlPage } from '#shared/platform/http/browsers/send-html-page.js';
import { INITIAL_PAYMENT_METHODS } from '../pages/checkout-page-model.js';
import { renderErrorPage } from '../pages/error-page.js';
import { PAYER_PAGE_ASSETS } from '../pages/page-assets.js';

/** An input error in any other field comes from stored data. */
const FORM_FIELDS = [
  'unique_asset_id',
  'how',
  'new',
  'refund_to_address',
  'confirmed',
  'page',
  'pay',
  'mail',
  'email',
];
const PAGE_FAILURES = [
  AssetChangedTooOftenError,
  AssetShownAtTillError,
  CheckoutEndedError,
  PaymentSeenError,
  SignedPaymentPendingError,
];
const RULES_WITHOUT_FIELD = ['unknown_field', 'duplicate_key', 'percent_encoding', 'characters'];

@Injectable()
export class HostedFailurePages extends ErrorPageSender {
  constructor(private readonly live: CachedCheckoutReader) {
    super();
  }

  send(
    { status: failed, requestId }: HttpFailure & { readonly requestId: string },
    exception: unknown,
    request: Request,
    response: Response,
  ): void {
    const path = pagePathOf(request.path);
    const page = path.startsWith('/checkout/') ? path + openMethodQuery(request.query.pay) : path;
    const frameOrigins = this.frameOrigins(path);
    // A failed GET of the page itself must not be redirected to the page, which would loop.
    const isElsewhere = request.method === 'POST' || request.originalUrl !== page;
    if (isElsewhere && isShownByPage(exception)) {
      allowCrossOriginOpener(response, frameOrigins);
      response.redirect(303, page);
      return;
    }
    // An invalid field that no form has, such as the amount, comes from the stored request: 409 instead of 400.
    const status = isElsewhere && isInvalidInput(exception) ? 409 : failed;
    const language = pageLanguageOf(request);
    const html = renderErrorPage(status, language, { requestId, retryPath: page });
    sendHtmlPage(response, { html, language, assets: PAYER_PAGE_ASSETS, status, frameOrigins });
  }

  private frameOrigins(page: string): readonly string[] {
    const [, kind, sessionId = ''] = page.split('/');
    return kind === 'checkout' ? this.live.frameOriginsOf(sessionId) : [];
  }
}

/**
 * Failures that the page itself explains or that the payer did not cause. For any other failure, a redirect would
 * lead to the same form again.
 */
function isShownByPage(exception: unknown): boolean {
  if (PAGE_FAILURES.some((shown) => exception instanceof shown)) return true;
  if (exception instanceof CrossSiteRefused) return true;
  return isInvalidInput(exception) && exception.errors.every(isPayerInput);
}

function isInvalidInput(exception: unknown): exception is DomainError {
  return exception instanceof DomainError && exception.kind === 'invalid';
}

function isPayerInput({ field, rule }: FieldError): boolean {
  return FORM_FIELDS.includes(field) || RULES_WITHOUT_FIELD.includes(rule) || field === 'body';
}

function openMethodQuery(pay: unknown): string {
  return (INITIAL_PAYMENT_METHODS as readonly unknown[]).includes(pay) ? `?pay=${String(pay)}` : '';
}

function pagePathOf(path: string): string {
  return path.split('/').slice(0, 3).join('/');
}
