/* Hands in to the course's service: by this browser's sign-in where the service itself shows this page, or else by a
   token, as maze submit does. Neither is known longer than this page is open. */
const PAUSE = 1000;
const MOST_FAILURES = 10;
const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE));

const call = async (address, { headers, ...options }) => {
  const response = await fetch(address, { redirect: "error", cache: "no-store", ...options, headers: { Accept: "application/json", ...headers } });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw Object.assign(new Error(answer.error ?? `the service answered ${response.status}`), { status: response.status });
  return answer;
};
const formOf = (csrf, zip) => {
  const form = new FormData();
  form.append("csrf", csrf);
  form.append("files", zip, "submission.zip");
  return form;
};

/* Both ways give what hands in a zip, and what looks at an attempt. */
export const bySignIn = (service, csrf) => [
  (zip) => call(`${service}submit`, { method: "POST", body: formOf(csrf, zip), credentials: "same-origin" }),
  (attempt) => call(`${service}attempts/${encodeURIComponent(attempt)}`, { credentials: "same-origin" }),
];
export const byToken = (service, token) => {
  const options = { headers: { Authorization: `Bearer ${token}` }, credentials: "omit" };
  return [
    (zip) => call(`${service}api/submit`, { ...options, method: "POST", body: zip }),
    (attempt) => call(`${service}api/attempts/${encodeURIComponent(attempt)}`, options),
  ];
};

/* Hand in a zip; tell each new state of the attempt, the last one with its score. */
export const handIn = async ([submit, look], zip, tell) => {
  let attempt = await submit(zip);
  tell(attempt);
  for (let failures = 0; ["waiting", "running"].includes(attempt.state);) {
    await pause();
    try {
      attempt = await look(attempt.attempt);
      failures = 0;
      tell(attempt);
    } catch (error) {
      failures += 1;
      if (failures > MOST_FAILURES) throw error;
    }
  }
};
