/**
 * Every error Predio raises on purpose, in one table: what happened, how to mend it, what the process exits with.
 *
 * Exit codes (design section 11): 1 failed, 2 usage or surroundings, 3 the partner is at fault.
 * `retriable` tells a stage whether waiting can help; callers branch on it or on the code, never on text.
 */
export const ERRORS = {
  // what the operator gave us
  CONFIG_UNREADABLE: {
    exit: 2,
    retriable: false,
    text: 'the partner file cannot be read',
    mend: 'check PREDIO_PARTNERS and the file’s permissions',
  },
  CONFIG_INVALID: {
    exit: 2,
    retriable: false,
    text: 'the configuration has mistakes',
    mend: 'correct what is listed, then run `predio config validate`',
  },
  USAGE: { exit: 2, retriable: false, text: 'the command was not understood', mend: 'see `predio --help`' },
  // the local stack
  STACK_JAVA_MISSING: {
    exit: 2,
    retriable: false,
    text: 'the local stack needs Java 17 or newer',
    mend: 'install a Java 17+ runtime, or set KAFKA_BROKERS, SCHEMA_REGISTRY_URL and DATABASE_URL',
  },
  STACK_MAVEN_MISSING: {
    exit: 2,
    retriable: false,
    text: 'the local stack needs Maven to fetch Kafka and the registry once',
    mend: 'install Maven, or set KAFKA_BROKERS, SCHEMA_REGISTRY_URL and DATABASE_URL',
  },
  STACK_FETCH_FAILED: {
    exit: 1,
    retriable: true,
    text: 'Kafka or the registry could not be fetched',
    mend: 'check that Maven reaches its repository, then start again',
  },
  STACK_START_FAILED: {
    exit: 1,
    retriable: true,
    text: 'a part of the local stack did not start',
    mend: 'read the log file named here, or start with --fresh',
  },
  STACK_IN_USE: {
    exit: 2,
    retriable: false,
    text: 'another Predio is using these data',
    mend: 'stop it, or give --data another folder',
  },
  // what we stand on
  BROKER_UNREACHABLE: {
    exit: 1,
    retriable: true,
    text: 'no Kafka broker answers',
    mend: 'check KAFKA_BROKERS and that the cluster is up',
  },
  BROKER_REFUSED: {
    exit: 1,
    retriable: false,
    text: 'Kafka refused the request',
    mend: 'check the credential and its ACLs',
  },
  TOPIC_MISSING: { exit: 1, retriable: false, text: 'a topic does not exist', mend: 'run `predio setup`' },
  TOPIC_MISFIT: {
    exit: 1,
    retriable: false,
    text: 'a topic is not as Predio needs it',
    mend: 'see docs/topics.md, then change the topic or the prefix',
  },
  REGISTRY_UNREACHABLE: {
    exit: 1,
    retriable: true,
    text: 'the schema registry does not answer',
    mend: 'check SCHEMA_REGISTRY_URL',
  },
  SCHEMA_MISSING: { exit: 1, retriable: false, text: 'a schema is not registered', mend: 'run `predio setup`' },
  SCHEMA_REFUSED: {
    exit: 1,
    retriable: false,
    text: 'the registry refused a schema',
    mend: 'a schema may only gain optional fields; see docs/topics.md',
  },
  DATABASE_UNREACHABLE: {
    exit: 1,
    retriable: true,
    text: 'the catalog database does not answer',
    mend: 'check DATABASE_URL',
  },
  DATABASE_NOT_READY: {
    exit: 1,
    retriable: false,
    text: 'the catalog database has no or older tables',
    mend: 'run `predio setup`',
  },
  CATALOG_REFUSED: {
    exit: 1,
    retriable: false,
    text: 'the catalog cannot hold a record',
    mend: 'see the dead-letter topic',
  },
  ROLE_DIED: { exit: 1, retriable: false, text: 'a role stopped unexpectedly', mend: 'read its last lines above' },
  CONSUMER_CRASHED: {
    exit: 1,
    retriable: true,
    text: 'a Kafka consumer gave up',
    mend: 'the process ends; whatever runs it should start it again',
  },
  PRODUCER_OFFSETS: {
    exit: 1,
    retriable: true,
    text: 'Kafka acknowledged records at an offset that did not grow',
    mend: 'the producer is replaced and the records are sent again',
  },
  RECORD_UNREADABLE: {
    exit: 1,
    retriable: false,
    text: 'a record cannot be decoded',
    mend: 'see the dead-letter topic',
  },
  RECORD_TOO_LARGE: {
    exit: 1,
    retriable: false,
    text: 'a record is larger than a topic takes',
    mend: 'the partner should shorten the property',
  },
  // what the partner did: these end a cycle, never the process (contract section 7)
  PARTNER_UNREACHABLE: {
    exit: 3,
    retriable: true,
    text: 'the partner cannot be reached',
    mend: 'check base_url and the partner’s service',
  },
  PARTNER_ADDRESS_REFUSED: {
    exit: 3,
    retriable: true,
    text: 'the partner’s name leads to an address that is not public',
    mend: 'check base_url, or set allow_private for a partner inside your own network',
  },
  PARTNER_TIMEOUT: {
    exit: 3,
    retriable: true,
    text: 'the partner did not answer in time',
    mend: 'the partner must answer well within request_timeout',
  },
  PARTNER_STATUS: {
    exit: 3,
    retriable: true,
    text: 'the partner answered with an error status',
    mend: 'the next cycle asks again from the same date',
  },
  PARTNER_AUTH: {
    exit: 3,
    retriable: true,
    text: 'the partner refused the credential',
    mend: 'check the partner’s secret',
  },
  PARTNER_REDIRECT: {
    exit: 3,
    retriable: true,
    text: 'the partner answered with a redirect, which is never followed',
    mend: 'set base_url to the final address',
  },
  PARTNER_BUSY: {
    exit: 3,
    retriable: true,
    text: 'the partner asked us to wait longer than a cycle may last',
    mend: 'the next cycle asks again; lower requests_per_minute',
  },
  PARTNER_BODY_TOO_LARGE: {
    exit: 3,
    retriable: true,
    text: 'the partner’s answer is too large',
    mend: 'lower page_size',
  },
  PARTNER_BODY_UNREADABLE: {
    exit: 3,
    retriable: true,
    text: 'the partner’s answer is not readable JSON',
    mend: 'the partner must answer with valid JSON in UTF-8',
  },
  PARTNER_ENVELOPE: {
    exit: 3,
    retriable: true,
    text: 'the partner’s answer lacks the agreed envelope',
    mend: 'see contract sections 2.2 and 2.3',
  },
  PARTNER_PAGE_TOO_LONG: {
    exit: 3,
    retriable: true,
    text: 'the partner’s page holds far more properties than were asked for',
    mend: 'the partner must keep to limit',
  },
  PARTNER_NEXT_FOREIGN: {
    exit: 3,
    retriable: true,
    text: 'meta.next leads to another origin or path',
    mend: 'meta.next must stay on the feed’s own address',
  },
  PARTNER_NEXT_LOOP: {
    exit: 3,
    retriable: true,
    text: 'meta.next does not advance',
    mend: 'meta.next must advance offset by the page size',
  },
  PARTNER_NEXT_UNREADABLE: {
    exit: 3,
    retriable: true,
    text: 'meta.next is neither a link with an offset nor a marker',
    mend: 'see contract section 4.1',
  },
  PARTNER_PAGES_ENDLESS: {
    exit: 3,
    retriable: true,
    text: 'the feed does not end',
    mend: 'the last page must have meta.next null',
  },
  PARTNER_DRIFT: {
    exit: 3,
    retriable: true,
    text: 'the property feed changed while it was read',
    mend: 'keep the order of items between the pages of a crawl, contract section 4.1 rule 3',
  },
  DELETED_ID_UNUSABLE: {
    exit: 3,
    retriable: false,
    text: 'a deleted id cannot be an external_id',
    mend: 'deleted_ids must hold the external_id texts of the property feed',
  },
  // the cycle itself
  CYCLE_STOPPED: {
    exit: 1,
    retriable: true,
    text: 'the cycle was cut off by a stop',
    mend: 'the next one starts from the same date',
  },
  CYCLE_TIMEOUT: {
    exit: 1,
    retriable: true,
    text: 'the cycle did not end in time',
    mend: 'raise cycle_timeout, page_size or requests_per_minute; the next cycle starts from the same date',
  },
  CYCLE_ABANDONED: {
    exit: 1,
    retriable: true,
    text: 'the source that ran the cycle is gone',
    mend: 'nothing to do: the next cycle starts from the same date',
  },
  CYCLE_SEND_FAILED: {
    exit: 1,
    retriable: true,
    text: 'Kafka did not take the records',
    mend: 'check the brokers; the next cycle repeats',
  },
} as const satisfies Record<string, ErrorSpec>

interface ErrorSpec {
  readonly exit: 1 | 2 | 3
  readonly retriable: boolean
  readonly text: string
  readonly mend: string
}
