"use strict";
const dom = {
  at: (id) => document.getElementById(id),
  named: (name) => [...document.querySelectorAll(`[name="${name}"]`)],
  tell: (id, text, isTrouble = false) => {
    dom.at(id).textContent = text;
    dom.at(id).classList.toggle("trouble", isTrouble);
  },
  onClick: (id, act) => dom.at(id)?.addEventListener("click", act),
};
