import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DomainError, type FieldError } from '../../../../../shared/kernel/domain-error.js';
import { CrossSiteRefused } from '../../../../../shared/platform/http/cross-site.js';
import { FailurePages, type Failure } from '../../../../../shared/platform/http/failure.js';
import { CheckoutEnded, PaymentSeen } from '../../../domain/requests/refusals.js';
import { LiveCheckouts } from '../polling/live-checkouts.js';
import { languageOf, sendPage } from '../../../../../shared/platform/http/send-page.js';
import { renderErrorPage, type PageErrorStatus } from '../pages/error-page.js';
import { PAYER_ASSETS } from '../pages/page-assets.js';

/** What the pages' own forms post; other fields that an input error names are the server's. */
const FORM_FIELDS = ['unique_asset_id', 'how', 'new'];
const NOT_A_FIELD = ['unknown_field', 'duplicate_key', 'percent_encoding', 'characters'];

const PAGES: Readonly<Record<number, PageErrorStatus>> = {
  404: 404,
  409: 409,
  429: 429,
  500: 500,
  503: 503,
};

/** Tells a payer in a page what went wrong, or leads back to the page that shows it by itself. */
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
    const page = pageOf(request.path);
    // Never from the page to itself.
    const isElsewhere = request.method === 'POST' || request.originalUrl !== page;
    if (isElsewhere && isSeenThere(exception)) {
      response.redirect(303, page);
      return;
    }
    // An input that the payer did not give, such as an amount, is wrong by what was asked for earlier.
    const status = isElsewhere && isInvalid(exception) ? 409 : failed;
    const language = languageOf(request);
    const html = renderErrorPage(PAGES[status] ?? 400, language, { requestId, retryPath: page });
    const frameOrigins = this.frameOrigins(page);
    sendPage(response, { html, language, assets: PAYER_ASSETS, status, frameOrigins });
  }

  private frameOrigins(page: string): readonly string[] {
    const [, kind, sessionId = ''] = page.split('/');
    return kind === 'checkout' ? this.live.frameOriginsOf(sessionId) : [];
  }
}

/**
 * What came too late the page shows; of what makes no sense, such as what trackers add to an address, it needs to say
 * nothing; and what another site has sent the payer has not asked for. Anything else would lead to the same form again.
 */
function isSeenThere(exception: unknown): boolean {
  if (exception instanceof CheckoutEnded || exception instanceof PaymentSeen) return true;
  if (exception instanceof CrossSiteRefused) return true;
  return isInvalid(exception) && exception.errors.every(isInput);
}

function isInvalid(exception: unknown): exception is DomainError {
  return exception instanceof DomainError && exception.kind === 'invalid';
}

function isInput({ field, rule }: FieldError): boolean {
  return FORM_FIELDS.includes(field) || NOT_A_FIELD.includes(rule) || field === 'body';
}

/** `/checkout/{id}` of whatever lies below it. */
function pageOf(path: string): string {
  return path.split('/').slice(0, 3).join('/');
}
