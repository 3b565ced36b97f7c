-- The state of `grader serve`. Times are seconds since 1970, as reals; secrets are kept as SHA-256 only.

create table settings (
    name text primary key,
    value text not null
) strict;

create table courses (
    id text primary key,
    title text not null,
    served integer not null default 0, -- the turn of the queue at which it was served last
    marks_from real not null default 0 -- before this moment no mark goes to a platform
) strict;

create table people (
    id integer primary key,
    course text not null references courses (id),
    folder text not null,              -- of the person's result in the class folder
    name text not null,
    email text not null default '',
    role text not null check (role in ('student', 'staff')),
    origin text not null check (origin in ('demo', 'invite', 'lti')),
    external text not null,            -- who this is at the origin: subject of LTI, row of the class list
    created real not null,
    served integer not null default 0,
    changed integer not null default 1 check (changed in (0, 1)),  -- the class folder is yet to be told
    rank text not null default 'teacher' check (rank in ('teacher', 'assistant')),  -- of staff
    rank_given integer not null default 0 check (rank_given in (0, 1)),  -- by a teacher: no origin changes it
    unique (course, origin, external),
    unique (course, folder)
) strict;

create table sessions (
    token_sha text primary key,
    person integer not null references people (id) on delete cascade,
    csrf text not null,
    created real not null,
    seen real not null,
    expires real not null
) strict;

create table tokens (
    token_sha text primary key,
    person integer not null references people (id) on delete cascade,
    name text not null,
    created real not null,
    used real,
    expires real not null
) strict;

create table invites (
    token_sha text primary key,
    person integer not null references people (id) on delete cascade,
    created real not null,
    used real,
    expires real not null,
    made_by integer                    -- number of the member of staff; null for whoever runs the service
) strict;

create table mails (                   -- links that are sent by mail: of each person the newest
    person integer primary key references people (id) on delete cascade,
    token text not null,               -- the secret of the link until it was sent, then ''
    tries integer not null,
    next_at real,                      -- null where it was given up
    sent_at real,
    error text not null
) strict;

create table answers (                 -- what came of requests for another look, and the mails that tell of it
    person integer not null references people (id) on delete cascade,
    request text not null,             -- its id
    read_at real,                      -- null until the student has read it
    tries integer not null default 0,
    next_at real,                      -- of a mail that is to be sent; null where none is
    error text not null default '',
    primary key (person, request)
) strict;

create table extensions (
    person integer primary key references people (id) on delete cascade,
    course text not null references courses (id),
    deadline real not null
) strict;

create table attempts (
    id text primary key,               -- unguessable
    course text not null references courses (id),
    person integer not null references people (id) on delete cascade,
    number integer not null,           -- 1, 2, ... of this person
    at real not null,                  -- when it was on the disk
    upload_sha text not null,
    labels text not null,              -- what the student called the files, as a JSON list
    bytes integer not null default 0,  -- of the files, while they are kept
    state text not null check (
        state in ('waiting', 'running', 'graded', 'refused', 'fault', 'replaced', 'withdrawn')
    ),
    counts_against_bucket integer not null default 1 check (counts_against_bucket in (0, 1)),
    result_key text,                   -- what its result was made from; null where it has none
    score real,                        -- before lateness, and what staff decided
    max_score real,
    seconds real,
    reason text not null default '',   -- for staff: why it was refused, or what failed
    lease_owner text,
    lease_until real,
    not_before real not null default 0,
    started real,
    ended real,
    tries integer not null default 0,
    unread integer not null default 0 check (unread in (0, 1)),  -- whether an exercise is in it is yet to be read
    again blob not null default x'',    -- where a clock decided about the result: what is kept to try that again
    stamp text not null default '',    -- of the course and the grader that its result is of
    edition integer not null default 0, -- of its result: the number of the regrade that it came of
    state_before text not null default '',  -- of one that is withdrawn
    unique (person, number)
) strict;

create unique index one_waiting on attempts (person) 
    where state = 'waiting' and result_key is null and unread = 0;
create unique index one_running on attempts (person) where state = 'running';
create index by_state on attempts (state);

create table counting (
    person integer primary key references people (id) on delete cascade,
    attempt text not null references attempts (id) on delete cascade,
    score real not null,               -- the mark: after lateness, and what staff decided
    max_score real not null,
    waits integer not null default 0,  -- 1 where a person is to give points of it: it is not sent before
    points text not null default '{}', -- of exercises and checks: JSON by their ids
    results blob                       -- what the mark is of, compressed: published with it
) strict;

create table regrades (                -- courses that are graded again, beside the results that hold
    id integer primary key autoincrement,  -- never given again: folders of results are named by it
    course text not null unique references courses (id),
    begun real not null,
    publishing integer not null default 0 check (publishing in (0, 1))
) strict;

create table second_results (          -- what came of a regrade, which nobody but staff knows of
    attempt text primary key references attempts (id) on delete cascade,
    regrade integer not null references regrades (id) on delete cascade,
    state text not null default 'waiting' check (state in ('waiting', 'graded', 'refused', 'fault')),
    result_key text,
    score real,
    max_score real,
    seconds real,
    reason text not null default '',
    again blob not null default x'',
    stamp text not null default '',
    steps text not null default '[]',  -- what is shown of each exercise, as JSON: its id, score and maximum
    not_before real not null default 0,
    tries integer not null default 0,
    ended real
) strict;

create table tries (                   -- of students' work on mazes, as staff asked: they change no result
    id integer primary key autoincrement,  -- never given again: an answer comes by it
    attempt text not null references attempts (id) on delete cascade,
    check_id text not null,
    maze text not null,
    asked real not null,
    answer text,                       -- null until it is there
    unique (attempt, check_id)
) strict;

create table progress (
    attempt text not null references attempts (id) on delete cascade,
    exercise text not null,
    score real not null,               -- of what is shown of it
    max_score real not null,
    at real not null,
    primary key (attempt, exercise)
) strict;

create table audit (
    id integer primary key,
    at real not null,
    actor text not null,
    course text not null,
    what text not null,
    whom text not null,
    detail text not null default ''
) strict;

create table lti_platforms (
    id integer primary key autoincrement,  -- never given again: people are known by it
    issuer text not null,
    client_id text not null,
    deployments text not null,         -- a JSON list
    auth_url text not null,
    token_url text not null,
    jwks_url text not null,
    audience text not null default '', -- of what asks for tokens; '' for token_url
    course text,                       -- the only one that it may launch; null for all
    inside text,                       -- hosts that may be at private addresses, with spaces between; null for all
    unique (issuer, client_id)
) strict;

create table lti_registrations (       -- a link by which one platform may register itself
    link_sha text primary key,
    course text not null references courses (id),
    inside text not null,              -- hosts that may be at private addresses, with spaces between
    expires real not null,             -- of the link
    came text                          -- what the platform said of itself, as JSON, until a teacher confirms it
) strict;

create table lti_states (              -- a login that is under way; taking its row away is its one use
    state_sha text primary key,
    nonce_sha text not null,
    browser_sha text not null,
    platform integer not null references lti_platforms (id) on delete cascade,
    expires real not null
) strict;

create table lti_contexts (            -- which courses of platforms may launch a course
    course text not null references courses (id),
    platform integer not null references lti_platforms (id) on delete cascade,
    context text not null,
    title text not null,
    members text not null default '',  -- the URL at which the platform lists them; '' where it does not
    primary key (platform, context, course)
) strict;

create table lti_lineitems (           -- where a person's scores go
    person integer primary key references people (id) on delete cascade,
    platform integer not null references lti_platforms (id) on delete cascade,
    -- the url is '' while the line item of the link is yet to be found in the container, or made there
    url text not null,
    container text not null default '',
    link text not null default ''
) strict;

create table outbox (
    id integer primary key,
    person integer not null references people (id) on delete cascade,
    attempt text not null references attempts (id) on delete cascade,
    platform integer not null references lti_platforms (id) on delete cascade,
    lineitem text not null,
    score real not null,
    max_score real not null,
    stamp real not null,               -- of the score: the platform keeps the newest
    tries integer not null default 0,
    next_at real,                      -- null where it was given up
    sent_at real,
    error text not null default '',
    announced integer not null default 0,  -- number of the newest attempt that the platform has as a submission
    unique (person, lineitem)
) strict;
