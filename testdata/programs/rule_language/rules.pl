fact ann : tall.
fact ann : rich.
fact bob : rich.
rule happy if rich and not(tired).
rule basketball if tall or quick.
rule star if basketball and happy.
