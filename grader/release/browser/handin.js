/* Hands in to the course's service, as maze submit does. The token is known to this page only while it is open. */
const PAUSE = 1000;
const MOST_FAILURES = 10;
const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE));

const call = async (address, token, body) => {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/zip" };
  const response = await fetch(address, { method: body ? "POST" : "GET", headers, body, redirect: "error", credentials: "omit" });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw Object.assign(new Error(answer.error ?? `the service answered ${response.status}`), { status: response.status });
  return answer;
};

/* Hand in a zip; tell each new state of the attempt, the last one with its score. */
export const handIn = async (service, token, zip, tell) => {
  let attempt = await call(`${service}api/submit`, token, zip);
  tell(attempt);
  for (let failures = 0; ["waiting", "running"].includes(attempt.state);) {
    await pause();
    try {
      attempt = await call(`${service}api/attempts/${encodeURIComponent(attempt.attempt)}`, token);
      failures = 0;
      tell(attempt);
    } catch (error) {
      failures += 1;
      if (failures > MOST_FAILURES) throw error;
    }
  }
};
