if (location.protocol === "file:") {
  const trouble = document.getElementById("trouble");
  trouble.hidden = false;
  trouble.textContent = "This page needs a web server: a browser starts no Python for a file that is opened from the disk. "
    + "In this folder, run: python -m http.server, and open http://localhost:8000/ . Or put the folder on any web space.";
  document.getElementById("status").textContent = "";
}
