import type { Request, RequestHandler, Response } from 'express';
import { invalidField } from '#shared/kernel/domain-error.js';
import { cookiesNamed } from '../browsers/cookies.js';
import { COOKIE_ATTRIBUTES } from '../dashboard/dashboard-answer.js';
import { READ_AFTER } from '../openapi/operation-headers.js';
import { DASHBOARD_PATH } from '../dashboard/dashboard-settings.js';
import {
  type FollowedRequest,
  followRequest,
  type LogPosition,
  parsePosition,
  writePosition,
} from '../../database/read-after.js';
import type { Replica } from '../../replica/replica.js';

const HEADER = READ_AFTER.toLowerCase();
const COOKIE = '__Host-dashboard_read_after';
const API_PATH = '/v1/';

/**
 * Reads the position of the caller's last write and returns the position of the request's write. The API uses a header, the
 * dashboard a cookie. Payer pages never read from a replica.
 * @param replica undefined if none is configured; malformed headers are still rejected, so that clients notice the mistake
 */
export function followRequests(replica: Replica | undefined): RequestHandler {
  return (request, response, next) => {
    const isPage = request.path === DASHBOARD_PATH || request.path.startsWith(`${DASHBOARD_PATH}/`);
    if (!isPage && !request.path.startsWith(API_PATH)) return next();
    if (replica === undefined) {
      if (!isPage) ofHeader(request);
      return next();
    }
    const followed: FollowedRequest = {
      after: isPage ? ofCookie(request) : ofHeader(request),
      wrote(transaction) {
        const { timeline } = replica;
        if (timeline === undefined) return;
        followed.after = { timeline, transaction };
        if (response.headersSent) return;
        if (isPage) setCookie(response, writePosition(followed.after));
        else response.setHeader(READ_AFTER, writePosition(followed.after));
      },
    };
    followRequest(followed, next);
  };
}

/** @throws validation_failed naming the header */
function ofHeader({ headers }: Request): LogPosition | undefined {
  const text = headers[HEADER];
  if (text === undefined) return undefined;
  const position = typeof text === 'string' ? parsePosition(text) : undefined;
  if (position !== undefined) return position;
  throw invalidField(
    READ_AFTER,
    'log_position',
    'must be the unchanged X-Read-After of an earlier response. Otherwise omit the header.',
  );
}

/** A forged cookie affects only the pages of its sender. */
function ofCookie({ headers }: Request): LogPosition | undefined {
  const [text] = cookiesNamed(COOKIE, headers.cookie);
  return text === undefined ? undefined : parsePosition(text);
}

/** Replaces the position of an earlier write of the same request. */
function setCookie(response: Response, text: string): void {
  const others = [response.getHeader('Set-Cookie') ?? []]
    .flat()
    .map(String)
    .filter((each) => !each.startsWith(`${COOKIE}=`));
  response.setHeader('Set-Cookie', [...others, `${COOKIE}=${text}; ${COOKIE_ATTRIBUTES}`]);
}
