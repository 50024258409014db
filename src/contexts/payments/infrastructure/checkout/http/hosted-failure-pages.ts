import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DomainError, type FieldError } from '#shared/kernel/domain-error.js';
import { CrossSiteRefused } from '#shared/platform/http/browsers/cross-site.js';
import { FailurePages, type Failure } from '#shared/platform/http/errors/error-kinds.js';
import {
  AssetChangedTooOften,
  AssetShownAtTill,
  CheckoutEnded,
  PaymentSeen,
  SignatureUnderWay,
} from '#contexts/payments/domain/requests/asset-change-rule.js';
import { LiveCheckouts } from '../polling/live-checkouts.js';
import { keepOpener, languageOf, sendPage } from '#shared/platform/http/browsers/send-page.js';
import { OPENED_WAYS } from '../pages/checkout-page-model.js';
import { renderErrorPage } from '../pages/error-page.js';
import { PAYER_ASSETS } from '../pages/page-assets.js';

/** The pages' own forms and links send these fields; any other field that an input error names is the server's. */
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
const SHOWN = [AssetChangedTooOften, AssetShownAtTill, CheckoutEnded, PaymentSeen, SignatureUnderWay];
const NOT_A_FIELD = ['unknown_field', 'duplicate_key', 'percent_encoding', 'characters'];

/** Answers a failure with an error page, or with a redirect to the page that shows the reason. */
@Injectable()
export class HostedFailurePages extends FailurePages {
  constructor(private readonly live: LiveCheckouts) {
    super();
  }

  send(
    { status: failed, requestId }: Failure & { readonly requestId: string },
    exception: unknown,
    request: Request,
    response: Response,
  ): void {
    const path = pageOf(request.path);
    const page = path.startsWith('/checkout/') ? path + openedWay(request.query.pay) : path;
    const frameOrigins = this.frameOrigins(path);
    // The page must not redirect to itself.
    const isElsewhere = request.method === 'POST' || request.originalUrl !== page;
    if (isElsewhere && isShownByPage(exception)) {
      keepOpener(response, frameOrigins);
      response.redirect(303, page);
      return;
    }
    // An invalid field that no form of the page has, such as the amount, lies in the request: 409, not 400.
    const status = isElsewhere && isInvalid(exception) ? 409 : failed;
    const language = languageOf(request);
    const html = renderErrorPage(status, language, { requestId, retryPath: page });
    sendPage(response, { html, language, assets: PAYER_ASSETS, status, frameOrigins });
  }

  private frameOrigins(page: string): readonly string[] {
    const [, kind, sessionId = ''] = page.split('/');
    return kind === 'checkout' ? this.live.frameOriginsOf(sessionId) : [];
  }
}

/**
 * True for failures that the page itself explains:
 * 1. The session has ended, was paid meanwhile, is being paid by a signature or keeps its asset: the page shows the state.
 * 2. The input makes no sense, such as parameters that trackers add: the page works without it.
 * 3. The form came from another site: the payer did not ask for it.
 * A redirect for any other failure would lead to the same form again.
 */
function isShownByPage(exception: unknown): boolean {
  if (SHOWN.some((shown) => exception instanceof shown)) return true;
  if (exception instanceof CrossSiteRefused) return true;
  return isInvalid(exception) && exception.errors.every(isInput);
}

function isInvalid(exception: unknown): exception is DomainError {
  return exception instanceof DomainError && exception.kind === 'invalid';
}

function isInput({ field, rule }: FieldError): boolean {
  return FORM_FIELDS.includes(field) || NOT_A_FIELD.includes(rule) || field === 'body';
}

/** The way to pay that is open stays so. @param pay as the page's address has it */
function openedWay(pay: unknown): string {
  return (OPENED_WAYS as readonly unknown[]).includes(pay) ? `?pay=${String(pay)}` : '';
}

/** `/checkout/{id}` of whatever lies below it. */
function pageOf(path: string): string {
  return path.split('/').slice(0, 3).join('/');
}
