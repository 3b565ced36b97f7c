import select

select.poll().poll()
