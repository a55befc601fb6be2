-- The catalog (design section 11). Needs PostgreSQL 18: the sink reads a row's former status with RETURNING old.

-- Up Migration

-- Everything but identity, status, version and times may be null: a deletion of an unknown id is a row of its own.
CREATE TABLE predio.listing (
  partner       text COLLATE "C" NOT NULL,
  external_id   text COLLATE "C" NOT NULL,
  status        text             NOT NULL CHECK (status IN ('published', 'draft', 'inactive')),
  version_cycle bigint           NOT NULL,
  version_phase smallint         NOT NULL,
  version_seq   bigint           NOT NULL,
  property_type text,
  modality      text,
  currency      text,
  rent_price    numeric,
  sale_price    numeric,
  latitude      double precision,
  longitude     double precision,
  street        text,
  city          text,
  state         text,
  postal_code   text,
  contact_name  text,
  contact_email text,
  contact_phone text,
  photos        text[],
  amenities     text[],
  updated_at    timestamptz,
  reasons       jsonb,
  held_back     jsonb,
  body          jsonb,
  first_seen_at timestamptz      NOT NULL,
  changed_at    timestamptz      NOT NULL,
  -- The status rides along so that a partner's counts need no look at the rows.
  PRIMARY KEY (partner, external_id) INCLUDE (status)
)
-- A listing has about 2 kB, just where PostgreSQL would start to compress each one: a quarter of the cost of a write.
WITH (toast_tuple_target = 8160);

COMMENT ON TABLE predio.listing IS 'One row per property of a partner, at its newest version.';
COMMENT ON COLUMN predio.listing.status IS 'published, draft or inactive.';
COMMENT ON COLUMN predio.listing.version_cycle IS 'With version_phase and version_seq the version, compared as such.';
COMMENT ON COLUMN predio.listing.held_back IS 'A newer version that was refused, and why: cycle, sequence, rule_set, reasons.';
COMMENT ON COLUMN predio.listing.body IS 'The property as the partner sent it.';
COMMENT ON COLUMN predio.listing.changed_at IS 'When a newer version, or another status, was last written.';

-- Only published rows are searched.
CREATE INDEX listing_search ON predio.listing (property_type, city, rent_price, sale_price) WHERE status = 'published';

CREATE VIEW predio.published_listing AS
SELECT partner, external_id, property_type, modality, currency, rent_price, sale_price, latitude, longitude,
       street, city, state, postal_code, contact_name, contact_email, contact_phone, photos, amenities,
       updated_at, body, first_seen_at, changed_at
FROM predio.listing
WHERE status = 'published';

COMMENT ON VIEW predio.published_listing IS 'What a marketplace shows.';

CREATE TABLE predio.cycle_tally (
  partner       text COLLATE "C" NOT NULL,
  cycle         bigint           NOT NULL,
  route         text             NOT NULL CHECK (route IN ('accepted', 'draft', 'rejected', 'deactivated')),
  records       bigint           NOT NULL,
  last_sequence bigint           NOT NULL,
  PRIMARY KEY (partner, cycle, route)
);

COMMENT ON TABLE predio.cycle_tally IS 'How many records of a cycle the catalog has seen, by where they went.';
COMMENT ON COLUMN predio.cycle_tally.last_sequence IS 'Records up to this one are counted: seeing them again counts nothing.';

-- Down Migration

DROP TABLE predio.cycle_tally;
DROP VIEW predio.published_listing;
DROP TABLE predio.listing;
