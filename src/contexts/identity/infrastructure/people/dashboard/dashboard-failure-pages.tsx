import { Injectable, NotFoundException } from '@nestjs/common';
import { NOT_TRANSLATED } from '#shared/web/parts/facts.js';
import type { Request, Response } from 'express';
import type { VNode } from 'preact';
import { DomainError } from '#shared/kernel/domain-error.js';
import type { SessionStage } from '#shared/kernel/dashboard-access.js';
import { CrossSiteRefused } from '#shared/platform/http/browsers/cross-site.js';
import { FailurePages, type Failure } from '#shared/platform/http/errors/error-kinds.js';
import { sendDashboardPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import type { VisitedRequest } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { DashboardPage, EntryPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import { hrefWith } from '#shared/web/dashboard/list-page.js';
import { type TranslatedPhrase, t, type Word } from '#shared/web/dashboard/words/text.js';
import { LinkButton } from '#shared/web/dashboard/page-parts.js';
import { ActProofNeeded, DashboardRoleMissing, ProofNeeded, SignInNeeded } from './dashboard-refusals.js';
import { confirmActPage } from './entry-pages.js';

const NEXT_PATHS: Record<SessionStage, string> = {
  enrolling: '/app/second-factor/enrol',
  challenged: '/app/second-factor',
  signed_in: '/app',
};

const TITLES_BY_STATUS: Record<number, Word> = {
  400: 'Invalid request',
  403: 'Not allowed',
  404: 'Page not found',
  409: 'This action is not possible now',
  429: 'Too many attempts',
  503: 'Temporarily unavailable',
};

@Injectable()
export class DashboardFailurePages extends FailurePages {
  send(
    { status, message, requestId }: Failure & { readonly requestId: string },
    exception: unknown,
    request: Request & VisitedRequest,
    response: Response,
  ): void {
    if (exception instanceof SignInNeeded) {
      response.redirect(
        303,
        exception.stage === undefined ? signInPath(request) : NEXT_PATHS[exception.stage],
      );
      return;
    }
    if (exception instanceof DashboardRoleMissing && isFirstPage(request) && exception.home !== '/app') {
      response.redirect(303, exception.home);
      return;
    }
    if (exception instanceof ActProofNeeded) {
      const { act, typed, hasPasskey, refusal } = exception;
      const action = request.originalUrl;
      const page = confirmActPage({ hasPasskey, action, act: t(act.does), typed, refusal });
      sendDashboardPage(response, page, refusal?.status ?? status);
      return;
    }
    if (exception instanceof ProofNeeded) {
      response.redirect(
        303,
        hrefWith('/app/confirm', { then: request.method === 'GET' ? request.originalUrl : undefined }),
      );
      return;
    }
    const visitor = request.visitor ?? request.unproven?.visitor;
    // Pages without a sign-in, such as an invitation, say themselves what is no longer valid.
    if (status === 404 && (visitor !== undefined || exception instanceof NotFoundException)) {
      sendDashboardPage(response, notFoundPage(visitor), status);
      return;
    }
    const sentence =
      exception instanceof CrossSiteRefused
        ? t('The form was sent from another site or from an outdated page. Reload the page and try again.')
        : message;
    sendDashboardPage(
      response,
      failurePage(status, sentence, requestId, exception instanceof DomainError),
      status,
    );
  }
}

/** @param visitor undefined also for a path without a route, because no session is read for it */
function notFoundPage(visitor: PageVisitor | undefined): VNode {
  const title = TITLES_BY_STATUS[404]!;
  const content = (
    <>
      <p>{t('This page does not exist or was deleted.')}</p>
      <p>
        <LinkButton href="/app" label="Go to overview" look="primary" />
      </p>
    </>
  );
  if (visitor === undefined) return <EntryPage title={title}>{content}</EntryPage>;
  return (
    <DashboardPage visitor={visitor} title={title}>
      {content}
    </DashboardPage>
  );
}

function failurePage(
  status: number,
  sentence: string | TranslatedPhrase,
  requestId: string,
  isExplained: boolean,
): VNode {
  return (
    <EntryPage title={TITLES_BY_STATUS[status === 405 ? 404 : status] ?? 'Something went wrong'}>
      <p>{sentence}</p>
      {!isExplained && (
        <p class="note">
          {t('Request {id}. The operator can find it in the log.', {
            id: <code {...NOT_TRANSLATED}>{requestId}</code>,
          })}
        </p>
      )}
      <p>
        <LinkButton href="/app" label="Go to dashboard" look="primary" />
      </p>
    </EntryPage>
  );
}

function isFirstPage({ method, path }: Request): boolean {
  return method === 'GET' && path === '/app';
}

function signInPath({ method, originalUrl }: Request): string {
  const then = method === 'GET' && originalUrl !== '/app' ? originalUrl : undefined;
  return hrefWith('/app/sign-in', { then });
}
