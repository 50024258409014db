import {
  open,
  refused,
  together,
  VALID,
  type Heard,
  type Rule,
  type Rules,
  type Verdict,
} from '../exchange/heard.js';
import { pageOf, pageVerdict } from '../exchange/lists.js';
import { posOf, posVerdict } from '../accounts/points-of-sale.js';
import type { Known } from '../known/known.js';
import { objectOf, textOf, timeOf, type Json } from '../known/values.js';
import { adopt } from './creation.js';
import { mayExpireNow, takeExpiry, UNDER_WAY, isAtRest } from './status.js';
import { isEnded, type PaymentRequest } from './payment-request.js';
import { takeRequest } from './reading.js';

function requestVerdict(heard: Heard, known: Known): Verdict {
  const request = known.requests.get(heard.params.request ?? '');
  const pos = posVerdict(heard, known);
  if (request === undefined) return together(pos, open('not_found', 'validation_failed'));
  if (request.posId === '') return together(pos, open('not_found'));
  if (request.posId !== heard.params.pos || pos.must.length > 0) {
    return refused(
      'there is no such request on this POS for this caller',
      'not_found',
      'account_not_allowed',
    );
  }
  return VALID;
}

function shown(heard: Heard, data: unknown, known: Known): PaymentRequest | undefined {
  const record = objectOf(data);
  const id = textOf(record.id);
  const about = `payment request ${id}`;
  if (heard.params.request !== undefined) {
    known.equal('the request that was asked for', about, [heard.params.request, id]);
  }
  const request = known.requests.get(id) ?? adopt(record, heard, known);
  if (request === undefined) return undefined;
  if (request.posId === '' && heard.params.pos !== undefined) {
    request.posId = heard.params.pos;
    const pos = posOf(request.posId, heard.organization, known);
    pos.requests.push(request);
    request.organizationId = pos.organizationId;
  }
  const organization = heard.organization;
  const isOwn = organization === null || organization === request.organizationId;
  known.expect(isOwn, 'a request is shown to its own organization alone', about, [
    request.organizationId,
    organization,
  ]);
  return request;
}

const read: Rule = {
  verdict: requestVerdict,
  done: (heard, data, known) => {
    const request = shown(heard, data, known);
    if (request !== undefined) takeRequest(request, objectOf(data), heard, known, 'read');
  },
};

const expire: Rule = {
  verdict: (heard, known) => {
    const own = requestVerdict(heard, known);
    const request = known.requests.get(heard.params.request ?? '');
    if (request === undefined || own.must.length > 0) return own;
    const may = mayExpireNow(request, heard);
    if (may === 'no') return together(own, refused('something was seen, or it has ended', 'state_conflict'));
    return may === 'may' ? together(own, open('state_conflict')) : own;
  },
  done: (heard, data, known) => {
    const request = known.requests.get(heard.params.request ?? '');
    if (request === undefined) return;
    const { sentAt, at } = heard.exchange;
    const ended = request.expiry.filter(({ from }) => from <= at);
    if (!isEnded(request.shown.before(sentAt))) request.expiry = [{ from: sentAt, to: at }, ...ended];
    const record = objectOf(data);
    const shown = timeOf(record.expires_at);
    // An earlier request to end it may have been carried out without an answer.
    request.cutAt ??= Math.min(sentAt, shown ?? sentAt);
    if (record.id === request.id && record.token !== undefined)
      takeRequest(request, record, heard, known, 'read');
    else if (shown !== null) takeExpiry(request, shown, known);
  },
  unanswered: (heard, known) => {
    const request = known.requests.get(heard.params.request ?? '');
    const { sentAt, at } = heard.exchange;
    if (request !== undefined) request.expiry = [...request.expiry, { from: sentAt, to: at + UNDER_WAY }];
  },
};

const list: Rule = {
  verdict: (heard, known) =>
    together(posVerdict(heard, known), pageVerdict(heard, 1, false), filterVerdict(heard)),
  done: (heard, data, known) => {
    const pos = posOf(heard.params.pos!, heard.organization, known);
    const page = pageOf(data, heard, known);
    if (page === undefined) return;
    const ids = new Set<string>();
    for (const item of page.items) {
      const record = objectOf(item);
      judgeFilters(heard, record, known);
      const isNew = !ids.has(textOf(record.id));
      known.expect(isNew, 'a list shows nothing twice', `POS ${pos.id}`, ['distinct ids', record.id]);
      ids.add(textOf(record.id));
      const request = shown(heard, record, known);
      if (request !== undefined) takeRequest(request, record, heard, known, 'list');
    }
    const isWhole = Object.keys(heard.exchange.query).every(
      (name) => name === 'page' || name === 'page_size',
    );
    if (!isWhole) return;
    if (isAtRest(known, heard.exchange.sentAt) && page.total === pos.requests.length) {
      pos.listedAt = known.restedAt;
      known.forget(pos.id, heard.exchange.sentAt);
    }
    const before = pos.requests.filter(({ made }) => made.to < heard.exchange.sentAt).length;
    const isEnough = isAtRest(known, heard.exchange.sentAt)
      ? page.total === pos.requests.length
      : page.total >= before;
    const isStrange = known.unanswered.some(({ parent }) => parent === pos.id) || pos.requests.length === 0;
    if (isEnough || (isStrange && page.total >= before)) return;
    if (page.total > before && page.items.length < page.total) return;
    known.differ('a POS lists all of its requests', `POS ${pos.id}`, [pos.requests.length, page.total]);
  },
};

function filterVerdict({ exchange: { query } }: Heard): Verdict {
  const unknown = Object.keys(query).filter(
    (name) => !['page', 'page_size', 'status', 'reference_id'].includes(name),
  );
  return unknown.length > 0 || query.status !== undefined || query.reference_id !== undefined
    ? open('unknown_field', 'validation_failed')
    : VALID;
}

function judgeFilters({ exchange: { query } }: Heard, record: Json, { findings }: Known): void {
  const about = `payment request ${textOf(record.id)}`;
  for (const name of ['status', 'reference_id']) {
    const asked = query[name];
    if (asked === undefined) continue;
    findings.equal(`a list filtered by ${name}`, about, [asked, record[name]]);
  }
}

export const reading: Rules = { 'read request': read, 'list requests': list, 'expire request': expire };
