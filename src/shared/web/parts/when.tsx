import { createContext, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { LANGUAGE, t } from '../dashboard/words/text.js';
import { exactTime, relativeTime } from '../formatting/shown-time.js';

/** The page's moment and the reader's time zone, which `DashboardPage` provides. */
export interface Reader {
  /** The service's clock at the request. Without it times are exact. */
  readonly now?: Date;
  /** A time zone of the IANA database. */
  readonly zone: string;
}

export const READER = createContext<Reader>({ zone: 'UTC' });

interface WhenProps {
  /** Null or undefined: it has not happened. */
  readonly at: Date | null | undefined;
  /** Shows the exact time, for facts that are compared or quoted. */
  readonly exact?: boolean;
}

/** A time beside now, with the exact one on hover; the attribute for programs is exact to the millisecond. */
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
