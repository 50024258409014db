import { createContext, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { LANGUAGE, t } from '../dashboard/words/text.js';
import { exactTime, relativeTime } from '../formatting/shown-time.js';

/** The page's time and the reader's time zone, provided by `DashboardPage`. */
export interface Reader {
  /** Service clock at the request. Without it, times are exact. */
  readonly now?: Date;
  /** IANA time zone. */
  readonly zone: string;
}

export const READER = createContext<Reader>({ zone: 'UTC' });

interface WhenProps {
  /** Null or undefined: has not happened. */
  readonly at: Date | null | undefined;
  /** Displays the exact time, for facts that are compared or quoted. */
  readonly exact?: boolean;
}

/** A relative time, with the exact time on hover and to the millisecond in `datetime`. */
export function When({ at, exact = false }: WhenProps): VNode {
  const { now, zone } = useContext(READER);
  const language = useContext(LANGUAGE);
  if (at === null || at === undefined) return <span class="note">{t('never')}</span>;
  const title = exactTime(at, zone);
  return (
    <time dateTime={at.toISOString()} title={title}>
      {exact || now === undefined ? title : relativeTime(at, now, zone, language)}
    </time>
  );
}
