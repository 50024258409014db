import { Injectable, NotFoundException } from '@nestjs/common';
import { NOT_TRANSLATED } from '#shared/web/parts/detail-item.js';
import type { Request, Response } from 'express';
import type { VNode } from 'preact';
import { DomainError } from '#shared/kernel/domain-error.js';
import type { SignInStage } from '#shared/kernel/dashboard-access.js';
import { CrossSiteRefused } from '#shared/platform/http/browsers/cross-site.js';
import { ErrorPageSender, type HttpFailure } from '#shared/platform/http/errors/error-kinds.js';
import { sendDashboardPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import type { DashboardUserRequest } from '#shared/platform/http/dashboard/dashboard-user.js';
import { DashboardPage, SignInFlowPage, type PageUser } from '#shared/web/dashboard/dashboard-page.js';
import { hrefWith } from '#shared/web/dashboard/list-page.js';
import { type TranslatedPhrase, t, type Word } from '#shared/web/dashboard/words/text.js';
import { LinkButton } from '#shared/web/dashboard/page-parts.js';
import {
  ActionSecondFactorRequired,
  DashboardRoleMissing,
  SecondFactorRequired,
  SignInRequired,
} from './dashboard-refusals.js';
import { confirmActionPage } from './entry-pages.js';

const NEXT_PATHS: Record<SignInStage, string> = {
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
export class DashboardFailurePages extends ErrorPageSender {
  send(
    { status, message, requestId }: HttpFailure & { readonly requestId: string },
    exception: unknown,
    request: Request & DashboardUserRequest,
    response: Response,
  ): void {
    if (exception instanceof SignInRequired) {
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
    if (exception instanceof ActionSecondFactorRequired) {
      const { act, typed, hasPasskey, refusal } = exception;
      const action = request.originalUrl;
      const page = confirmActionPage({ hasPasskey, action, act: t(act.does), typed, refusal });
      sendDashboardPage(response, page, refusal?.status ?? status);
      return;
    }
    if (exception instanceof SecondFactorRequired) {
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
function notFoundPage(visitor: PageUser | undefined): VNode {
  const title = TITLES_BY_STATUS[404]!;
  const content = (
    <>
      <p>{t('This page does not exist or was deleted.')}</p>
      <p>
        <LinkButton href="/app" label="Go to overview" look="primary" />
      </p>
    </>
  );
  if (visitor === undefined) return <SignInFlowPage title={title}>{content}</SignInFlowPage>;
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
    <SignInFlowPage title={TITLES_BY_STATUS[status === 405 ? 404 : status] ?? 'Something went wrong'}>
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
    </SignInFlowPage>
  );
}

function isFirstPage({ method, path }: Request): boolean {
  return method === 'GET' && path === '/app';
}

function signInPath({ method, originalUrl }: Request): string {
  const then = method === 'GET' && originalUrl !== '/app' ? originalUrl : undefined;
  return hrefWith('/app/sign-in', { then });
}
