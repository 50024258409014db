import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { CallerAddressRanges } from '#shared/kernel/rate-limits.js';
import { CallerAddressResolver } from '#shared/platform/http/callers/caller-address-resolver.js';
import type { DashboardUser } from '#shared/platform/http/dashboard/dashboard-user.js';
import { cookiesNamed } from '#shared/platform/http/browsers/cookies.js';
import { COOKIE_ATTRIBUTES, SESSION_COOKIE } from '#shared/platform/http/dashboard/dashboard-answer.js';
import type { RequestSource } from '#contexts/identity/application/people/dashboard-sessions.js';
import { SecondFactorRequired } from './dashboard-refusals.js';
import { digestOf } from '#contexts/identity/application/secret.js';
import { CompletedActionQuery, IsEnteredText } from '#shared/platform/http/dashboard/dashboard-query.js';
import { DASHBOARD_PATH } from '#shared/platform/http/dashboard/dashboard-settings.js';
import { sameOriginPath } from '#shared/web/safe-links.js';
import { hasRecentSecondFactor } from '#contexts/identity/domain/people/second-factors.js';

@Injectable()
export class RequestSources {
  constructor(private readonly addresses: CallerAddressResolver) {}

  sourceOf(request: Request): RequestSource & { caller: CallerAddressRanges } {
    const address = this.addresses.addressOf(request);
    return {
      address,
      caller: this.addresses.callerAddressRangesOf(request),
      userAgent: request.headers['user-agent'] ?? '',
    };
  }
}

/** Call this before rendering a page with a secret. */
export function requireRecentSecondFactor(visitor: DashboardUser): void {
  if (!hasRecentSecondFactor(visitor)) throw new SecondFactorRequired();
}

const DEVICE_COOKIE = '__Host-dashboard_device';
const DEVICE_COOKIE_SECONDS = 180 * 86_400;

export function clearSessionCookie(response: Response): void {
  response.append('Set-Cookie', `${SESSION_COOKIE}=; Max-Age=0; ${COOKIE_ATTRIBUTES}`);
}

/** Undefined unless the request has exactly one session cookie. */
export function sessionDigestOf(request: Request): Buffer | undefined {
  return digestOfSingleCookie(SESSION_COOKIE, request);
}

export function setKnownBrowserCookie(response: Response, token: string): void {
  response.append(
    'Set-Cookie',
    `${DEVICE_COOKIE}=${token}; Max-Age=${DEVICE_COOKIE_SECONDS}; ${COOKIE_ATTRIBUTES}`,
  );
}

export function knownBrowserCookieDigestOf(request: Request): Buffer | undefined {
  return digestOfSingleCookie(DEVICE_COOKIE, request);
}

function digestOfSingleCookie(name: string, request: Request): Buffer | undefined {
  const sent = cookiesNamed(name, request.headers.cookie);
  return sent.length === 1 && sent[0] !== '' ? digestOf(sent[0]!) : undefined;
}

/** The response time must reveal nothing to the caller. */
@Injectable()
export class WorkAfterResponse implements BeforeApplicationShutdown {
  private readonly underway = new Set<Promise<void>>();

  /** Await this, so that an error is logged although the response has been sent. */
  async trackUntilFinished(work: Promise<void>): Promise<void> {
    this.underway.add(work);
    try {
      await work;
    } finally {
      this.underway.delete(work);
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.allSettled(this.underway);
  }
}

export class SignInRedirectQuery extends CompletedActionQuery {
  @IsEnteredText() then?: string;
}

/** Prevents redirects to other sites. */
export function safeRedirectPath(then: string | undefined): string {
  const path = sameOriginPath(then);
  const isOurs =
    path === DASHBOARD_PATH ||
    path?.startsWith(`${DASHBOARD_PATH}/`) ||
    path?.startsWith(`${DASHBOARD_PATH}?`);
  return isOurs === true ? path! : DASHBOARD_PATH;
}
